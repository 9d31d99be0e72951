"""How often which kind comes in many trials, but for what is rare: doubles choose ranges of numbers. Who leaves out the rest bounds it by what there is in all."""
import math

from flint import arb

from enclosure import log_of

MOST_KINDS = 40
SEARCHES = 80  # halvings


def ranges_of(masses, count, nats):
    """Of each kind's number in `count` trials, at chances that are proportional to the masses: those out of which e^-nats or so lies. The last kind has what
    the others leave."""
    logs = [log_of(mass) for mass in masses]
    most = max(logs)
    shares = [math.exp(log - most) for log in logs]
    ranges = [_range(share / sum(shares), count, nats) for share in shares[:-1]]
    lowest = max(0, count - sum(numbers[-1] for numbers in ranges))
    return [*ranges, range(lowest, count - sum(numbers[0] for numbers in ranges) + 1)]


def _range(share, count, nats):
    """By Chernoff's bound."""
    def rare(number):
        part = number / count
        return count * (_weighed(part, share) + _weighed(1 - part, 1 - share)) > nats

    def last_likely(number, end):
        """From a number that is likely towards an end."""
        if not rare(end):
            return end
        for _ in range(SEARCHES):
            middle = (number + end) // 2
            if middle in (number, end):
                break
            number, end = (number, middle) if rare(middle) else (middle, end)
        return number

    mean = min(count, round(count * share))
    return range(last_likely(mean, 0), last_likely(mean, count) + 1)


def _weighed(part, share):
    return 0.0 if part == 0 else math.inf if share == 0 else part * math.log(part / share)


def size_of(ranges):
    return math.prod(len(numbers) for numbers in ranges[:-1])


def counts_in(ranges, count):
    """All tuples of numbers within these ranges that add up to `count`."""
    if len(ranges) == 1:
        if count in ranges[0]:
            yield (count,)
        return
    for number in ranges[0]:
        if number > count:
            break
        for others in counts_in(ranges[1:], count - number):
            yield (number, *others)


def divided_powers(mass, numbers):
    """mass^n / n!, of a range of numbers."""
    out = [mass ** numbers[0] / arb.fac_ui(numbers[0])]
    for number in numbers[1:]:
        out.append(out[-1] * mass / number)
    return out
