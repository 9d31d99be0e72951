"""What the answers look like in Markdown."""

HEAD = ["| workload | asked | accountant | answer | ms | verdict |", "|---|---|---|---|---|---|"]
RATIO_HEAD = [
    "| workload | pld, ms | its width | tightest other that holds | time | width | fastest other that holds | time | width |",
    "|---|---|---|---|---|---|---|---|---|",
]


def shown(bounds):
    if len(bounds) > 1:
        return f"{len(bounds)} points"
    lower, estimate, upper = ("" if end is None else f"{end:.10g}" for end in bounds[0])
    return f"{lower} .. {upper}" if lower else f"<= {upper}"


def row(question, name, answer, verdict):
    value, milliseconds = (shown(answer["bounds"]), f"{1e3 * answer['seconds']:.3g}") if "bounds" in answer else ("", "")
    return f"| {question.title} | {question.asked} | {name} | {value} | {milliseconds} | {verdict.text} |"


def multiple(ratio):
    """Two digits are as many as a time has."""
    return f"{ratio:.0e}" if ratio >= 1e5 else f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def ratio_row(question, answers, verdicts):
    """Of those whose answer holds, the tightest and the fastest as multiples of ours."""
    time = {name: answers[name]["seconds"] for name, verdict in verdicts.items() if verdict.error is not None}
    error = {name: verdicts[name].error for name in time}
    others = [name for name in time if name != "pld"]
    cells = [question.title, f"{1e3 * time['pld']:.3g}", f"{error['pld']:.0e}"]
    for measure in (error, time):
        best = min(others, key=measure.get, default=None)
        cells += [best, multiple(time[best] / time["pld"]), multiple(error[best] / error["pld"])] if best else ["none", "", ""]
    return "| " + " | ".join(cells) + " |"
