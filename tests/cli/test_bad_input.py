"""Whatever is wrong: status 2, nothing on stdout, one line on stderr naming it, its value and what is accepted."""
import os
import subprocess
import tempfile
import unittest

from command import CommandTest, pld

GOOD = "gaussian:sigma=1"


class Words(CommandTest):
    def test_replace_sensitivity_of_batches_names_what_works(self):
        for sampling in ("wor=0.1", "truncated=0.2,cap=10,records=20"):
            words = ("epsilon", "--delta", "1e-5", f"gaussian:sigma=3,replace_sensitivity=1.4,{sampling}")
            self.refused(*words, says=["without replace_sensitivity"])
            self.answer(*words[:-1], f"gaussian:sigma=3,{sampling}")
        self.refused("epsilon", "--delta", "1e-5", "dp:epsilon=1,wor=0.1", says=["guarantee under another adjacency"])

    def test_tries_of_an_empty_variable(self):
        for command in (("epsilon", "--delta", "1e-6", GOOD), ("explain", GOOD), ("calibrate", "--epsilon", "1", "--delta", "1e-6", "gaussian:sigma=?"),
                        ("ledger", "spend", "none", GOOD)):
            self.refused(*command, "--tries", "", says=["tries", "is empty, but must be a law"])

    def test_a_run_leaves_its_batch_or_its_epochs_open(self):
        for name, value in {"dataset-size": "?", "cap": "?", "batch": "?*2"}.items():
            run = {"dataset-size": "1000", "batch": "10", "epochs": "3", "cap": "20", name: value}
            self.refused("calibrate", "--epsilon=1", "--delta=1e-5", "--sampler=truncated", *(f"--{key}={given}" for key, given in run.items()),
                         "gaussian:noise_multiplier=1", says=[f"{name} is '{value}'", "--batch or --epochs may be ?"])

    def test_an_option_without_its_value(self):
        self.refused("epsilon", GOOD, "--delta", says=["epsilon: --delta is without one, but must have a value"])
        self.refused("compare", "--delta", "1e-5", "--claim", GOOD, says=[f"claim is '{GOOD}' (a mechanism: is the option's value missing?)", "a finite number"])
        self.refused("epsilon", "--delta", "1e-5", "--ledger", GOOD, says=[f"ledger: '{GOOD}' does not exist"])
        self.refused("curve", GOOD, "--size", "6by4", "--output", "x.svg", says=["size's width is '6by4'"])

    def test_names_of_other_packages(self):
        for word, meant in (("laplace:lambda=1", "scale"), ("gaussian:sigma=1,dataset_size=100", "dataset"), ("gaussian:sigma=1,n=100", "dataset"),
                            ("rdp:alpha=2,epsilons=1", "orders"), ("zcdp:epsilon=1", "dp:epsilon=EPSILON"), ("zcdp:rho=1,delta=1e-9", "that of the question: --delta"), ("dp:rho=1", "zcdp:rho=RHO"),
                            ("zcdp:sigma=1", "rho = sensitivity^2 / (2 sigma^2)"),
                            ("exponential:epsilon=1,sensitivity=1", "epsilon, of which e^(epsilon u / (2 sensitivity))")):
            with self.subTest(word=word):
                self.refused("epsilon", "--delta", "1e-5", word, says=["is not known", f"did you mean {meant}"])
        for words, meant in ((("epsilon", "--delta", "1e-5", "--direction", "both", GOOD), "worst"), (("epsilon", "--neighboring", "x", GOOD), "--adjacency"),
                             (("curve", "--of", "delta", GOOD), "profile"), (("get_epsilon", GOOD), "epsilon"), (("compute_dp_sgd_privacy", "--N=6"), "epsilon"),
                             (("get_noise_multiplier", GOOD), "calibrate")):
            with self.subTest(words=words):
                self.refused(*words, says=[f"did you mean {meant}?"])

    def test_options_of_an_empty_variable(self):
        """None of them is taken for one that was left out: a claim, a group or what was spent would not be looked at."""
        run = {"epsilon": ("--delta", "1e-6", GOOD), "compare": ("--delta", "1e-6", GOOD), "explain": (GOOD,), "curve": (GOOD,), "export": (GOOD,),
               "audit": ("--delta", "1e-6", "--correct", "9/10", "--canaries", "10", GOOD),
               "calibrate": ("--epsilon", "1", "--delta", "1e-6", "gaussian:sigma=?")}
        released = "--ledger", "--adjacency", "--group", "--dataset-size", "--batch", "--epochs", "--sampler", "--cap", "--timeout", "--engine"
        for command, own in {"epsilon": (), "compare": ("--claim",), "explain": ("--delta", "--output"), "curve": ("--range", "--output"),
                             "audit": ("--claim", "--threshold", "--output"), "calibrate": ("--rho", "--mu", "--target"), "export": ("--output",)}.items():
            for option in (*released, *own):
                if command == "export" and option in ("--timeout", "--engine"):
                    continue
                with self.subTest(command=command, option=option):
                    self.refused(command, *run[command], option, "", says=[option, "is empty, but must have a value"])
        for option in ("--kind", "--filter", "--order", "--reserve", "--rho", "--mu", "--group", "--plan", "--epsilon"):
            with self.subTest(option=option):
                self.refused("ledger", "init", "none", "--epsilon", "1", "--delta", "1e-6", option, "", says=[option, "is empty"])
        self.answer("explain", GOOD, "--title", "")
        for word in ("sampler", "matrix"):
            self.refused("epsilon", "--delta", "1e-6", f"{GOOD},{word}=", says=[f"{word} is ''"])

    def test_mechanism_words(self):
        for word, *says in [
            ("", "type is ''", "gaussian", "laplace"),
            (":", "type is ''"),
            (":sigma=1", "type is ''"),
            ("gaus:sigma=1", "'gaus'", "gaussian", "randomized-response"),
            ("Gaussian:sigma=1", "'Gaussian'", "gaussian"),
            ("gaussian", "sigma"),
            ("gaussian:", "''", "key=value"),
            ("gaussian:count=3", "sigma"),
            ("gaussian:sigma", "'sigma'", "key=value"),
            ("gaussian:sigma=", "sigma is ''", "number"),
            ("gaussian:=1", "'=1'", "key=value"),
            ("gaussian:sigma=?", "sigma is '?'", "`pld calibrate` finds"),
            ("gaussian:sigma=1,", "''", "key=value"),
            ("gaussian:,sigma=1", "''", "key=value"),
            ("gaussian:sigma=1;count=3", "'1;count=3'"),
            ("gaussian:sigma=1:2", "'1:2'"),
            ("gaussian:sigma=1,5", "'5'", "key=value"),
            ("gaussian:sgma=1", "'sgma'", "sigma, sensitivity, replace_sensitivity, attained_sensitivity, q, poisson, wor, allocation, participations, passes, shuffled, truncated, cap, records, sampler, batch, dataset, epochs, count"),
            ("gaussian:scale=1", "'scale'", "sigma"),
            ("laplace:sigma=1", "'sigma'", "scale"),
            ("gaussian:sigma=1,sigma=1", "sigma", "twice"),
            ("gaussian:sigma=1,q=0.5,q=0.5", "q", "twice"),
            ("gaussian:sigma=1,count=1,count=1", "count", "twice"),
        ]:
            with self.subTest(word=word):
                self.refused("epsilon", "--delta", "1e-6", word, says=says)
                self.refused("delta", "--epsilon", "1", GOOD, word, says=says)

    def test_near_names(self):
        best = '--tries, of all mechanisms together, as --tries geometric:mean=10, in Python best_of("geometric:mean=10")'
        group = 'that of all mechanisms together: --group 3, in JSON "group": 3 beside them, in Python in_groups(3)'
        for words, meant in [
            (["epsilom"], "epsilon"),
            (["ledger", "spnd", "x"], "spend"),
            (["epsilon", "--detla", "1e-6", GOOD], "--delta"),
            (["epsilon", "--detla=1e-6", GOOD], "--delta"),
            (["ledger", "spend", "x", GOOD, "--tokn", "3"], "--token"),
            (["epsilon", "--delta", "1e-6", "guassian:sigma=1"], "gaussian"),
            (["epsilon", "--delta", "1e-6", "tradeoff:alphas=0/1,betas=1/0"], "trade-off"),
            (["epsilon", "--delta", "1e-6", "gaussian:sigm=1"], "sigma"),
            (["epsilon", "--delta", "1e-6", "--engine", "lattce", GOOD], "lattice"),
            (["epsilon", "--delta", "1e-6", "--adjacency", "replace_one", GOOD], "replace-one"),
            (["epsilon", "--delta", "1e-6", "--direction", "wurst", GOOD], "worst"),
            (["curve", "--of", "trade-off", GOOD], "tradeoff"), (["curve", "--of", "roc", GOOD], "tradeoff"),
            (["delta", "--eps", "1", GOOD], "--epsilon"),
            (["compare", "--delta", "1e-6", "--eps", "1", GOOD], "--claim"),
            (["epsilon", "--delta", "1e-6", "--relation", "replace-one", GOOD], "--adjacency"),
            (["epsilon", "--delta", "1e-6", "--adjacency", "bounded", GOOD], "replace-one"),
            (["epsilon", "--delta", "1e-6", "--adjacency", "zero\u2013out", GOOD], "zero-out"),
            (["epsilon", "--delta", "1e-6", "gdp:mu=1"], "gaussian:sigma=1/mu,replace_sensitivity=1"),
            (["epsilon", "--target-delta", "1e-6", GOOD], "--delta"),
            (["calibrate", "--target_epsilon", "1", "--delta", "1e-6", "gaussian:sigma=?"], "--epsilon"),
            (["epsilon", "--delta", "1e-6", "--household", "4", GOOD], "--group"),
            (["calibrate", "--epsilon", "2", "--delta", "1e-6", "--user-level", "5", GOOD], "--group"),
            (["epsilon", "--delta", "1e-6", "--best-of", "geometric:mean=3", GOOD], "--tries"),
            (["epsilon", "--delta", "1e-6", "pure-dp:epsilon=1"], "dp"),
            (["curve", "--of", "epsilon", "--against", "batch", "--delta", "1e-5", "--range", "1:30:3", "gaussian:sigma=1,q=0.01"], "rate"),
            (["curve", "--output", "curve.PNG", GOOD], ".png"),
            (["epsilon", "--delta", "1e-6", "gaussian:sigma=1,k=5"], "count"),
            (["epsilon", "--delta", "1e-6", "randomized-response:p=0.7,T=5"], "count"),
            (["epsilon", "--delta", "1e-6", "gaussian:sigma=1,tries=10"], best),
            (["epsilon", "--delta", "1e-6", "laplace:scale=1,selection=3"], best),
            (["epsilon", "--delta", "1e-6", "laplace:scale=1,group=3"], group),
            (["epsilon", "--delta", "1e-6", "--ledger", self.ledger('{"mechanisms": [{"type": "dp", "epsilon": 1, "group": 3}]}')], group),
            (["epsilon", "--delta", "1e-6", "laplace:scale=1,adjacency=zero-out"], "that of all mechanisms together: --adjacency replace-one"),
            (["audit", "--delta", "1e-6", "--in-scores", "a", "--out", "b"], "--in"), (["audit", "--delta", "1e-6", "--in", "a", "--out-scores", "b"], "--out"),
            (["audit", "--delta", "1e-6", "--tp", "1/2"], "--true-positives"), (["audit", "--delta", "1e-6", "--fpr", "1/2"], "--false-positives"),
            (["epsilon", "--delta", "1e-6", "--n", "60000", GOOD], "--dataset-size"),
            (["epsilon", "--delta", "1e-6", "--selection", "geometric:mean=10", GOOD], "--tries"),
            (["epsilon", "--delta", "1e-6", "normal:sigma=1"], "gaussian"),
            (["epsilon", "--delta", "1e-6", "svt:epsilon=1"], "dp:epsilon=EPSILON, of each query that is found above, as in docs/recipes.md"),
            (["epsilon", "--delta", "1e-6", "--accountant", "rdp", GOOD], "--engine, which chooses itself; bounds of other accountants are those of pld compare"),
            (["plot", GOOD], "curve"),
            (["epsilon", "--delta", "1e-6", "--ledger",
              self.ledger('{"mechanisms": [{"type": "gaussian", "sgima": 1}]}')], "sigma"),
        ]:
            with self.subTest(words=words):
                self.refused(*words, says=[f" (did you mean {meant}?)"])
        self.refused("epsilon", "--delta", "1e-6", "--T", "5", GOOD, says=["(did you mean count= of a mechanism, as "])
        self.refused("epsilon", "--delta", "1e-6", "--tries", "geometric:10", GOOD, says=["tries is '10', but must be geometric with mean, written key=value"])
        self.refused("epsilon", "--delta", "1e-6", "--tries", "negative-binomial:shape=1", GOOD, says=["must be negative-binomial with gamma, shape"])
        # Commands beside this one come before all others; what takes no mechanism has no word of one.
        self.refused("ledger", "spend", "b", GOOD, "--group", "3", says=["'--group' is not known (--group is an option of pld ledger init) (see"])
        self.refused("ledger", "undo", "b", "--token", "t", says=["'--token' is not known (--token is an option of pld ledger spend) (see"])
        self.refused("ledger", "undo", "b", "--record", "1", says=["'--record' is not known (see"])
        self.refused("epsilon", "--eps", "1", GOOD, says=["'--eps' is not known (--epsilon is an option of pld delta, pld calibrate, pld ledger init)"])
        self.refused("epsilon", "--target-epsilon", "1", GOOD, says=["'--target-epsilon' is not known (--epsilon is an option of pld delta, pld calibrate, pld ledger init)"])
        for words in [["xyzzy"], ["epsilon", "--delta", "1e-6", "xyzzy:sigma=1"], ["epsilon", "--xyzzy", "1", GOOD]]:
            with self.subTest(words=words):
                self.refused(*words)
                self.assertNotIn("did you mean", pld(*words).stderr)

    def test_other_dashes(self):
        for option in ("\u2013-delta", "\u2014delta", "\u2013delta", "-\u2212delta"):
            self.refused("epsilon", option, "1e-6", GOOD, says=[f"('{option}' begins with '", "instead of the keyboard's '-': did you mean --delta?)"])
        self.refused("delta", "--epsilon", "\u22121", GOOD, says=["epsilon is '\u22121'", "with the keyboard's '-' instead of '\u2212'"])
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=1e\u22125", says=["sigma is '1e\u22125'", "with the keyboard's '-'"])
        self.assertEqual(pld("curve", "--name", "\u2014a", GOOD).returncode, 0)

    def test_numbers_in_words(self):
        for value in ("nan", "NaN", "-nan", "nan(1)", "inf", "-inf", "infinity", "1e999", "-1e999", "1e-999", "0x10",
                      "1e", "e1", "one", "1 ", " 1", "--1", "+-1", "+", "-", ".", "1.2.3", "1_000", "1'000",
                      "½", "1f", "?", "$(true)"):
            with self.subTest(value=value):
                self.refused("epsilon", "--delta", "1e-6", f"gaussian:sigma={value}", says=["sigma"])
                self.refused("epsilon", "--delta", "1e-6", f"gaussian:sigma=1,q={value}", says=["q"])
                self.refused("epsilon", "--delta", "1e-6", f"gaussian:sigma=1,count={value}", says=["count"])
                self.refused("epsilon", "--delta", value, GOOD, says=["delta"])
                self.refused("epsilon", "--delta", "1e-6", "--tolerance", value, GOOD, says=["tolerance"])
                if value not in ("inf", "-inf"):
                    self.refused("delta", "--epsilon", value, GOOD, says=["epsilon", "inf"])

    def test_a_percentage_is_one_number(self):
        """1/2% is half a percent to who writes it, and was read as 50."""
        for value in ("1/2%", "1%/2", "1e-3%", "5%%"):
            hint = "one number without an exponent" if value in ("1/2%", "1e-3%") else "a finite number"
            self.refused("epsilon", "--delta", "1e-6", f"gaussian:sigma={value}", says=["sigma", hint])
            self.refused("epsilon", "--delta", "1e-6", "--tolerance", value, GOOD, says=["tolerance", hint])
        self.assertEqual(pld("epsilon", "--delta", "0.5%", GOOD).returncode, 0)

    def test_values_out_of_range(self):
        for word, *says in [
            ("gaussian:sigma=0", "gaussian: sigma is 0"),
            ("gaussian:sigma=-0.0", "gaussian: sigma is"),
            ("gaussian:sigma=-1", "gaussian: sigma is -1"),
            ("gaussian:sigma=1,sensitivity=0", "sensitivity is 0"),
            ("gaussian:sigma=1,sensitivity=-2", "sensitivity is -2"),
            ("gaussian:sigma=1,q=1.5", "q is 1.5"),
            ("gaussian:sigma=1,q=-0.1", "q is -0.1"),
            ("laplace:scale=0", "scale is 0"),
            ("laplace:scale=-3", "scale is -3"),
            ("laplace:scale=1,sensitivity=-3", "sensitivity is -3"),
            ("randomized-response:p=1.01", "p is 1.01"),
            ("randomized-response:p=-0.01", "p is -0.01"),
            ("dp:epsilon=-1", "epsilon is -1"),
            ("dp:epsilon=1,delta=2", "delta is 2"),
            ("dp:epsilon=1,delta=-1e-9", "delta is -1e-09"),
            ("discrete-laplace:a=0", "a is 0"),
            ("discrete-laplace:a=1,sensitivity=1.5", "sensitivity is 1.5"),
            ("discrete-gaussian:sigma=0", "sigma is 0"),
            ("discrete-gaussian:sigma=1,sensitivity=0.5", "sensitivity is 0.5"),
        ]:
            with self.subTest(word=word):
                self.refused("epsilon", "--delta", "1e-6", word, says=[*says, "must"])

    def test_counts(self):
        for count in ("1.5", "-1", "1e13", "1e300", "-1e300", "0.999", "1000000000001", "1e-300"):
            with self.subTest(count=count):
                self.refused("epsilon", "--delta", "1e-6", f"gaussian:sigma=1,count={count}",
                             says=["gaussian: count is ", "1e12"])
        # As it is written, which no double holds.
        huge = str(2**53 + 1)
        self.refused("epsilon", "--delta", "1e-6", f"gaussian:sigma=1,count={huge}", says=[f"gaussian: count is {huge},"])
        for entry in (f'{{"type":"gaussian","sigma":1,"count":{huge}}}',
                      f'{{"tries":"geometric:mean=2","mechanisms":["gaussian:sigma=1"],"count":{huge}}}'):
            self.refused("epsilon", "--delta", "1e-6", "--ledger", self.ledger(f'{{"mechanisms":[{entry}]}}'),
                         says=[f"mechanisms[0]: count is {huge},"])
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=1,count=1e12", "gaussian:sigma=1,count=1",
                     says=["count", "1e12"])

    def test_bytes_that_would_break_the_line(self):
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=1\npld: fine")
        self.refused("epsilon", "--delta", "1e-6", "gaussian:si\rgma=1")
        self.refused("epsilon", "--delta", "1e-6", "x\x1b[31m\x07")
        self.refused("epsilon", "--delta", "1e-6", "--ledger", "no\nsuch\nfile")
        self.refused("epsilon", "--delta", "1e-6", "gaussian:sigma=" + "9" * 100000)


class Options(CommandTest):
    def test_delta_and_epsilon(self):
        for delta in ("2", "-1e-09", "1.0000000001", "-1"):
            self.refused("epsilon", "--delta", delta, GOOD, says=["delta is " + delta, "must"])
        for value in ("", "x"):
            self.refused("epsilon", "--delta", value, GOOD, says=["delta"])
            self.refused("delta", "--epsilon", value, GOOD, says=["epsilon"])

    def test_tolerance(self):
        for command in (("epsilon", "--delta", "1e-6"), ("delta", "--epsilon", "1"), ("curve", "--range", "0:1:3"), ("explain",),
                        ("compare", "--delta", "1e-6"), ("audit", "--delta", "1e-6", "--true-positives", "9/10", "--false-positives", "1/10")):
            for value in ("0", "-1"):
                self.refused(*command, "--tolerance", value, GOOD, says=[f"pld: {command[0]}: tolerance is {value}, but must be > 0 and finite"])

    def test_choices(self):
        self.refused("epsilon", "--delta", "1e-6", "--direction", "up", GOOD, says=["'up'", "worst, remove, add"])
        self.refused("epsilon", "--delta", "1e-6", "--direction", "", GOOD, says=["--direction", "is empty"])
        self.refused("epsilon", "--delta", "1e-6", "--direction", "0", GOOD, says=["'0'"])
        self.refused("epsilon", "--delta", "1e-6", "--engine", "fft", GOOD,
                     says=["'fft'", "auto, lattice, contour, closed-form"])

    def test_usage(self):
        self.refused(says=["epsilon, delta", "mechanisms"])
        self.refused("foo", says=["'foo'", "epsilon, delta", "mechanisms"])
        self.refused("--frob", says=["'--frob'"])
        self.refused("epsilon", says=["--delta"])
        self.refused("delta", GOOD, says=["--epsilon"])
        self.refused("epsilon", GOOD, "--delta", says=["--delta"])
        self.refused("epsilon", "--delta", "1e-6", says=["mechanism", "--ledger"])
        self.refused("epsilon", "--delta", "1e-6", "--delta", "1e-7", GOOD, says=["--delta"])
        self.refused("epsilon", "--delta", "1e-6", "--frob", GOOD, says=["--frob"])
        self.refused("epsilon", "--delta", "1e-6", "--epsilon", "1", GOOD, says=["--epsilon"])
        self.refused("epsilon", "--delta", "1e-6", "mechanisms", says=["'mechanisms'"])
        self.refused("mechanisms", GOOD, says=[GOOD])

    def test_engine_that_cannot_take_the_composition(self):
        self.refused("epsilon", "--delta", "1e-6", "--engine", "contour", "--adjacency", "replace-one", "report-noisy-max:scale=2,q=.01", says=["contour"])
        self.refused("epsilon", "--delta", "1e-6", "--engine", "closed-form", "gaussian:sigma=1,q=0.1,count=3",
                     says=["closed-form"])


class Lists(CommandTest):
    def test_lists_in_words(self):
        for word, *says in [
            ("mass-table", "p is missing"),
            ("mass-table:p=.5/.5", "q is missing"),
            ("mass-table:p=.5/.5,q=", "q is ''"),
            ("mass-table:p=.5/x,q=.5/.5", "p is 'x'"),
            ("mass-table:p=.5/nan,q=.5/.5", "p is 'nan'", "finite"),
            ("mass-table:p=.5/.6,q=.5/.5", "p is 1.1", "sum of 1"),
            ("mass-table:p=1.5/-.5,q=.5/.5", "p is -0.5", ">= 0"),
            ("mass-table:p=.5/.5,q=.5/.25/.25", "as many as p has"),
            ("integer-noise:masses=.25/.5/.25,sensitivity=1.5", "sensitivity is 1.5", "whole"),
            ("integer-noise:masses=.4/.2/.4", "log-concave"),
            ("gaussian-mixture:sigma=1,shifts=0/1,weights=.5/.6", "sum of weights is 1.1"),
            ("gaussian-mixture:sigma=1,shifts=0/1,weights=1", "one weight a shift"),
            ("gaussian-mixture:sigma=1,shifts=0/-1,weights=.5/.5", "shifts is -1"),
            ("generalized:shape=.5,scale=1", "shape is 0.5", "from 1 to 64"),
            ("skellam:variance=10,sensitivity=.5", "sensitivity is 0.5", "whole"),
            ("rdp:orders=2/1.5,epsilons=1/1", "orders is 1.5", "increasing"),
            ("trade-off:alphas=0/.5/1,betas=.5/.4/0", "betas is 0", "convex"),
            ("dp-points:epsilons=1,deltas=2", "deltas is 2"),
            ("zcdp:rho=-1", "rho is -1"),
            ("gaussian:sigma=1/0", "sigma is '1/0'"),
            ("gaussian:sigma=1,file=x", "'file'"),
            ("gaussian:sigma=1,q=.1,wor=.1", "two samplings"),
            ("gaussian:sigma=1,truncated=.1,cap=3", "cap and truncated must be given with records"),
            ("gaussian:sigma=1,batch=3", "batch and dataset"),
            ("gaussian:sigma=1,batch=3,dataset=2", "batch is 3"),
            ("gaussian:sigma=1,wor=2", "wor is 2", "from 0 to 1"),
            ("gaussian:sigma=1,wor=256", "wor is 256", "from 0 to 1: a share of the data; a batch's size is given as batch with dataset and sampler=fixed-size"),
            ("gaussian:sigma=1,q=256", "q is 256", "from 0 to 1", "batch with dataset and sampler=poisson"),
            ("mass-table:p=.5/.5,q=.4/.6,poisson=256", "poisson is 256", "sampler=poisson"),
            ("gaussian:sigma=1,truncated=64,cap=80,records=6400", "truncated is 64", "sampler=truncated"),
        ]:
            with self.subTest(word=word):
                self.refused("epsilon", "--delta", "1e-6", word, says=says)

    def test_files(self):
        for suffix, text, *says in [
            (".csv", "", "empty"),
            (".csv", "p,q\n", "number of rows is 0"),
            (".csv", "p;q\n.5;.5\n", "line 1", "p, q"),
            (".csv", "p,r\n.5,.5\n", "line 1", "p, q"),
            (".csv", "p,q\n.5\n", "line 2", "number of cells is 1"),
            (".csv", "p,q\n.5,.5\n\n.5,.5\n", "line 3", "number of cells is 1"),
            (".csv", "p,q\n.5,x\n", "line 2", "q must be a finite number"),
            (".csv", "p,q\n.5,nan\n", "line 2", "q must be a finite number"),
            (".csv", "p,q\n.5,.5\n.5,-.5\n", "q is -0.5"),
            (".json", "{", "line 1"),
            (".json", '{"p":[0.5,0.5]}', "an object of the arrays p, q"),
            (".json", '{"p":[0.5,0.5],"r":[0.5,0.5]}', "q is no array"),
            (".json", '{"p":[0.5,0.5],"q":[0.5,"x"]}', "q[1] must be a finite number"),
            (".json", '{"p":[0.5,0.5],"q":[1]}', "column q"),
            (".json", '{"p":[],"q":[]}', "number of rows is 0"),
            (".json", '{"p":[],"q":[1]}', "column q is of 1 numbers"),
        ]:
            with tempfile.NamedTemporaryFile("w", suffix=suffix) as file:
                file.write(text)
                file.flush()
                with self.subTest(text=text):
                    self.refused("epsilon", "--delta", "1e-6", "mass-table:file=" + file.name, says=says)
        self.refused("epsilon", "--delta", "1e-6", "mass-table:file=/no/such.csv", says=["/no/such.csv"])
        self.refused("epsilon", "--delta", "1e-6", "mass-table:p=1,file=/no/such.csv", says=["p is given and stands in the file too"])


class Relations(CommandTest):
    def test_refusals_name_what_is_missing(self):
        for word, adjacency, *says in [
            ("gaussian:sigma=1", "replace", "'replace'", "add-remove, replace-one, zero-out"),
            ("gaussian-mixture:sigma=1,shifts=0/1,weights=.5/.5", "replace-one", "no theorem says which are the worst"),
            ("dp:epsilon=1,q=.1", "replace-one", "removal"),
            ("dp:epsilon=1,wor=.1", "add-remove", "two batches of one size differ by a replacement"),
            ("dp:epsilon=1,wor=.1", "zero-out", "replacement"),
            ("poisson-difference:plus=2,minus=1", "replace-one", "neither dominates"),
            ("discrete-laplace:a=1,sensitivity=600000", "replace-one", "sensitivity is 1.2e6"),
        ]:
            with self.subTest(word=word, adjacency=adjacency):
                self.refused("delta", "--epsilon", "1", "--adjacency", adjacency, word, says=says)

    def test_samples_by_replacement_of_noise_that_has_none(self):
        """Each names what was asked, and what it says is known is answered."""
        mixture = "gaussian-mixture:sigma=1,shifts=0/1,weights=.5/.5"
        for word, *symmetric in [("binomial:n=7,p=.3", "binomial:n=7,p=.5", "fair coins"), ("poisson-difference:plus=2,minus=3", "poisson-difference:plus=2,minus=2", "equal means"),
                                 ("integer-noise:masses=.2/.5/.3", "integer-noise:masses=.25/.5/.25", "symmetric masses"), (mixture,)]:
            ask = ("epsilon", "--delta", ".1", "--adjacency")
            for adjacency in ("add-remove", "zero-out", "replace-one"):
                with self.subTest(word=word, adjacency=adjacency):
                    self.refused(*ask, adjacency, word + ",wor=.5", says=[f"sampling under {adjacency} is without replacement, but must be a Poisson sample or an allocation under add-remove or zero-out", *symmetric[1:]])
                    self.refused(*ask, adjacency, word + ",truncated=.1,cap=20,records=100", says=[f"sampling under {adjacency} is a truncated Poisson sample, but must be one that is never cut (poisson, or cap > records) under add-remove or zero-out", *symmetric[1:]])
                    if adjacency != "zero-out":
                        self.refused(*ask, adjacency, word + ",shuffled=10", says=[f"adjacency of shuffled batches is {adjacency}, but must be zero-out", *symmetric[1:]])
            for adjacency in ("add-remove", "zero-out"):
                for known in ("poisson=.5", "allocation=10", "truncated=.1,cap=51,records=50"):
                    self.answer(*ask, adjacency, f"{word},{known}")
                for other in symmetric[:1]:
                    self.answer(*ask, adjacency, other + ",wor=.5")
                    self.answer(*ask, adjacency, other + ",truncated=.1,cap=20,records=100")
            self.answer(*ask, "zero-out", word + ",shuffled=10")

    def test_a_ledger_of_another_adjacency(self):
        path = self.ledger('{"adjacency":"replace-one","mechanisms":[{"type":"gaussian","sigma":1}]}')
        self.refused("delta", "--epsilon", "1", "--adjacency", "zero-out", "--ledger", path, says=["'replace-one'", "zero-out"])


class Ledgers(CommandTest):
    def refused_ledger(self, text, *says):
        path = self.ledger(text)
        self.refused("epsilon", "--delta", "1e-6", "--ledger", path, says=[path, *says])
        self.refused("epsilon", "--delta", "1e-6", GOOD, "--ledger", path, says=[path, *says])

    def refused_mechanism(self, fields, *says):
        self.refused_ledger('{"mechanisms":[{"type":"gaussian","sigma":1},{' + fields + '}]}', "mechanisms[1]", *says)

    def test_files(self):
        done = pld("epsilon", "--delta", "1e-6", "--ledger", "-", stdin="")
        self.assertEqual((done.returncode, done.stderr), (2, "pld: standard input, line 1, column 1: it must be JSON, each field once, each number a double\n"))
        self.refused("epsilon", "--delta", "1e-6", "--ledger", "/no/such.json", says=["/no/such.json", "does not exist"])
        self.refused("epsilon", "--delta", "1e-6", "--ledger", "/", says=["'/'", "not a regular file"])
        self.refused("epsilon", "--delta", "1e-6", "--ledger", "", says=["--ledger"])

    def test_unicode_of_two_bytes(self):
        """Powershell's > and spreadsheets' "Unicode text" write UTF-16, with a mark or without."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table")
            for encoding in ("utf-16", "utf-16-be", "utf-16-le"):
                for name, text, words in [
                    ("l.json", '{"mechanisms":[{"type":"gaussian","sigma":1}]}', ("epsilon", "--delta", "1e-6", "--ledger")),
                    ("t.csv", "p,q\n.5,.5\n.5,.5\n", ("epsilon", "--delta", "1e-6", "mass-table:file=")),
                    ("m.csv", "1,0\n0,1\n", ("epsilon", "--delta", "1e-6", "gaussian:sigma=1,matrix=")),
                    ("s.txt", "1\n2\n", ("audit", "--delta", "1e-6", "--out", os.devnull, "--in")),
                    ("p.json", '{"mechanisms":[]}', ("ledger", "init", os.path.join(folder, "b"), "--epsilon=1", "--delta=1e-6", "--plan")),
                    ("b.jsonl", '{"pld-budget":3}\n', ("ledger", "import", os.path.join(folder, "b"))),
                ]:
                    path = os.path.join(folder, name)
                    with open(path, "w", encoding=encoding) as file:
                        file.write(text)
                    named = (*words[:-1], words[-1] + path) if words[-1].endswith("=") else (*words, path)
                    with self.subTest(encoding=encoding, name=name):
                        self.refused(*named, says=[path, "must be UTF-8, but is UTF-16"])
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"mechanisms":[{"type":"gaus"}]}')
            self.refused("ledger", "init", os.path.join(folder, "b"), "--epsilon=1", "--delta=1e-6", "--plan", path, says=[path, "mechanisms[0]", "'gaus'"])

    def test_not_json(self):
        for text, *says in [
            ("", "line 1, column 1", "must be JSON"),
            ("\n\n", "line 3, column 1"),
            ("{", "line 1, column 2"),
            ('{\n "mechanisms": [\n}\n', "line 3, column 1"),
            ('{"mechanisms":[]} x', "line 1, column 19"),
            ('{"mechanisms":[],}', "line 1, column 18"),
            ("{'mechanisms':[]}", "line 1, column 2"),
            ('{"mechanisms":[{"type":"gaussian","sigma":NaN}]}', "line 1, column 43"),
            ('{"mechanisms":[{"type":"gaussian","sigma":Infinity}]}', "line 1, column 43"),
            ('{"mechanisms":[{"type":"gaussian","sigma":+1}]}', "line 1, column 43"),
            ('{"mechanisms":[{"type":"gaussian","sigma":.5}]}', "line 1, column 43"),
            ('{"mechanisms":[{"type":"gaussian","sigma":1e400}]}', "line 1, column", "double"),
            ('{"mechanisms":[{"type":"gaussian","sigma":1e-400}]}', "line 1, column", "double"),
            ('{"mechanisms":[{"type":"gaussian","sigma":1,"sampling":{"poisson":0.00e-9,"poisson":1}}]}', "line 1, column 75", "once"),
            (b'{"\xff":1}', "line 1, column 3"),
            (b"\x00", "line 1, column 1"),
            ("[" * 100000, "line 1, column 101", "nested more than 100 deep"),
        ]:
            with self.subTest(text=text[:80]):
                self.refused_ledger(text, *says)

    def test_shape(self):
        for text, *says in [
            ("[]", "ledger is an array", "object"),
            ("3", "ledger is 3", "object"),
            ("[" * 100 + "]" * 100, "ledger is an array"),
            ("{}", "mechanisms is missing"),
            ('{"mechanisms":{}}', "mechanisms is an object", "array"),
            ('{"mechanisms":null}', "mechanisms is null", "array"),
            ('{"mechanisms":[],"spent":1}', '"spent"', "adjacency, group, tries, mechanisms"),
            ('{"mechanisms":[],"mechanisms":[]}', "line 1, column 18", "once"),
            ('{"adjacency":"replace","mechanisms":[]}', "'replace'", "add-remove, replace-one, zero-out"),
            ('{"adjacency":1,"mechanisms":[]}', "adjacency is 1", "string"),
        ]:
            with self.subTest(text=text[:80]):
                self.refused_ledger(text, *says)
        self.refused_ledger('{"mechanisms":[7]}', "mechanisms[0] is 7", "object")

    def test_mechanisms(self):
        for fields, *says in [
            ('', "type is missing"),
            ('"type":3', "type is 3", "string"),
            ('"type":"gaus"', "'gaus'", "gaussian"),
            ('"type":"gaussian"', "sigma"),
            ('"type":"gaussian","sigma":1,"poison":0.1', '"poison"', "sampling"),
            ('"type":"gaussian","sigma":1,"colour":"red"', '"colour"', "sigma, sensitivity"),
            ('"type":"gaussian","sigma":1,"Sigma":1', '"Sigma"', "sigma, sensitivity"),
            ('"type":"gaussian","sigma":"x"', "sigma is 'x'", "number"),
            ('"type":"gaussian","sigma":"inf"', "sigma is 'inf'", "number"),
            ('"type":"gaussian","sigma":null', "sigma is null", "number"),
            ('"type":"gaussian","sigma":true', "sigma is true", "number"),
            ('"type":"gaussian","sigma":[1]', "sigma is an array", "number"),
            ('"type":"gaussian","sigma":-1', "gaussian: sigma is -1", "must"),
            ('"type":"gaussian","sigma":1,"count":1.5', "count is 1.5", "1e12"),
            ('"type":"gaussian","sigma":1,"count":-1', "count is -1", "1e12"),
            ('"type":"gaussian","sigma":1,"count":1e13', "count is 1e13", "1e12"),
            ('"type":"gaussian","sigma":1,"count":18446744073709551616', "count is", "1e12"),
            ('"type":"gaussian","sigma":1,"count":"3.5"', 'count is "3.5"', "a whole number"),
            ('"type":"gaussian","sigma":1,"sampling":0.1', "sampling is 0.1", "object"),
            ('"type":"gaussian","sigma":1,"sampling":{}', "sampling: one of poisson, without_replacement"),
            ('"type":"gaussian","sigma":1,"sampling":{"wors":0.1}', '"wors"', "poisson"),
            ('"type":"gaussian","sigma":1,"sampling":{"poisson":0.1,"without_replacement":0.1}', "one of poisson"),
            ('"type":"gaussian","sigma":1,"sampling":{"without_replacement":1.5}', "wor is 1.5", "from 0 to 1"),
            ('"type":"gaussian","sigma":1,"sampling":{"batch":10}', "dataset is missing"),
            ('"type":"gaussian","sigma":1,"sampling":{"batch":10,"dataset":5}', "batch is 10", "dataset's size, 5"),
            ('"type":"gaussian","sigma":1,"sampling":{"batch":1.5,"dataset":5}', "batch is 1.5", "whole"),
            ('"type":"gaussian","sigma":1,"file":"x.csv"', '"file"'),
            ('"type":"mass-table","p":[0.5,0.5],"q":0.5', "q is 0.5", "array"),
            ('"type":"mass-table","p":[0.5,"x"],"q":[0.5,0.5]', "p[1] is 'x'", "number"),
            ('"type":"mass-table","p":[0.5,0.5],"q":[1]', "number of cells of q is 1", "as many as p has"),
            ('"type":"mass-table","p":[0.5,0.5],"file":"/no/such.csv"', "p is given and stands in the file too"),
            ('"type":"gaussian","sigma":[1]', "sigma is an array", "number"),
            ('"type":"gaussian","sigma":1,"sampling":{"poisson":"x"}', "poisson is 'x'", "number"),
            ('"type":"gaussian","sigma":1,"sampling":{"poisson":1.5}', "q is 1.5", "must"),
        ]:
            with self.subTest(fields=fields):
                self.refused_mechanism(fields, *says)
        self.refused_ledger('{"mechanisms":[{"type":"gaussian","sigma":1,"sigma":1}]}', "line 1, column 45", "once")


class Failures(CommandTest):
    def test_stdout_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([os.environ["PLD"], "delta", "--epsilon", "1", GOOD], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, "pld: cannot write to standard output\n"))

    def test_help_and_version_are_answers(self):
        for words in (["--help"], ["epsilon", "--help"], ["delta", "-h"], ["--version"]):
            done = pld(*words)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertTrue(done.stdout, words)


if __name__ == "__main__":
    unittest.main()
