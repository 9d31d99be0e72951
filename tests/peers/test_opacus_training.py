"""A tiny network trained by Opacus with our accountant, where torch is at hand."""
import pytest

torch = pytest.importorskip("torch")
opacus = pytest.importorskip("opacus")
import pld  # noqa: E402
import pld.opacus  # noqa: E402, F401


def test_a_real_training_is_accounted():
    torch.manual_seed(1)
    data = torch.utils.data.TensorDataset(torch.randn(256, 4), torch.randint(0, 2, (256,)))
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(data, batch_size=32)
    engine = opacus.PrivacyEngine(accountant="pld")
    model, optimizer, loader = engine.make_private(module=model, optimizer=optimizer, data_loader=loader,
                                                   noise_multiplier=1.2, max_grad_norm=1.0)
    steps = 0
    for _ in range(3):
        for inputs, labels in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
            steps += 1
    assert len(engine.accountant) == steps == 24
    run = 24 * pld.gaussian(sigma=1.2, poisson=1 / 8)
    assert engine.get_epsilon(delta=1e-5) == run.epsilon(1e-5).upper
    checkpoint = engine.accountant.state_dict()
    other = opacus.PrivacyEngine(accountant="pld")
    other.accountant.load_state_dict(checkpoint)
    assert other.get_epsilon(delta=1e-5) == engine.get_epsilon(delta=1e-5)
