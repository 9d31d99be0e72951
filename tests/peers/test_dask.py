"""epsilon_many on a local Dask cluster of two workers."""
import numpy as np
import pld
import pytest

pd = pytest.importorskip("pandas")
dataframe = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

COUNTS = np.arange(1000, 1040)


def epsilons(part):
    """What docs/python.md shows: a function of a data frame, on each worker."""
    return part.assign(epsilon=pld.epsilon_many(part, 1e-6, threads=1).upper)


def test_columns_on_two_workers():
    frame = pd.DataFrame({"type": "gaussian", "sigma": 0.8, "poisson": 0.005, "count": COUNTS})
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert len(client.scheduler_info()["workers"]) == 2
            parts = dataframe.from_pandas(frame, npartitions=4)
            found = parts.map_partitions(epsilons, meta=frame.assign(epsilon=0.0)).compute()
            # Compositions travel too.
            runs = [int(k) * pld.gaussian(sigma=0.8, poisson=0.005) for k in COUNTS[:4]]
            sent = client.gather(client.map(lambda run: run.epsilon(1e-6), runs))
    alone = pld.epsilon_many(frame, 1e-6)
    assert list(found.epsilon) == list(alone.upper)
    assert [(one.lower, one.upper) for one in sent] == list(zip(alone.lower[:4], alone.upper[:4]))
