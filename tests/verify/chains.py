"""Links of a ledger's export, as the ledger makes them."""
import hashlib
import json


def chained(records):
    """The lines of an export of these records, whatever links they had."""
    before, lines = "", []
    for record in records:
        body = json.dumps({key: value for key, value in record.items() if key != "chain"}, separators=(",", ":"))
        before = hashlib.sha256((before + "\n" + body).encode()).hexdigest()
        lines.append(body[:-1] + f',"chain":"{before}"' + "}")
    return lines
