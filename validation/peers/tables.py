"""What the answers look like in Markdown."""
from accountants import OURS

HEAD = ["| workload | asked | accountant | answer | ms | verdict |", "|---|---|---|---|---|---|"]
RATIO_HEAD = [
    "| workload | pld, ms | in Python, ms | its width | tightest other that holds | time | width "
    "| fastest other that holds | time | width |",
    "|---|---|---|---|---|---|---|---|---|---|",
]
MEANING = [
    "Milliseconds of processor time, a median of calls after the first; those of the command pld include the start of",
    "its process. Width: how far the upper end may lie above the truth, as a part of it.",
]
RATIO_MEANING = ["Time and width of the others are multiples of the command's."]


def shown(bounds):
    if len(bounds) > 1:
        return f"{len(bounds)} points"
    lower, _, upper = ("" if end is None else f"{end:.10g}" for end in bounds[0])
    return f"{lower} .. {upper}" if lower else f"<= {upper}"


def row(question, name, answer, verdict):
    value, time = (shown(answer["bounds"]), short(1e3 * answer["seconds"])) if "bounds" in answer else ("", "")
    return f"| {question.title} | {question.asked} | {name} | {value} | {time} | {verdict.text} |"


def short(number):
    """Two digits are as many as a time has."""
    return f"{number:.0e}" if number >= 1e5 or number < 1e-3 else f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def ratio_row(question, answers, verdicts):
    """Of those whose answer holds, the tightest and the fastest as multiples of the command."""
    time = {name: answers[name]["seconds"] for name, verdict in verdicts.items() if verdict.error is not None}
    error = {name: verdicts[name].error for name in time}
    others = [name for name in time if name not in OURS]
    cells = [question.title, *(short(1e3 * time[name]) for name in OURS), short(error["pld"])]
    for measure in (error, time):
        best = min(others, key=measure.get, default=None)
        ratios = [short(each[best] / each["pld"]) for each in (time, error)] if best else ["", ""]
        cells += [best or "none", *ratios]
    return "| " + " | ".join(cells) + " |"
