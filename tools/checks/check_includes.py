#!/usr/bin/env python3
"""Fails unless every #include keeps to the map of rooms: which room may know which, what is public, what a room keeps to itself.

usage: check_includes.py PROJECT_ROOT
"""
import pathlib
import re
import sys

# Each room (a folder of src, and of include/pld for its public headers) and those it may include besides itself.
BELOW = {
    "core": [],
    "numeric": ["core"],
    "pairs": ["core", "numeric"],
    "mechanisms": ["core", "numeric", "pairs"],
    "sampling": ["core", "numeric", "pairs", "mechanisms", "lattice"],
    "lattice": ["core", "numeric", "pairs"],
    "engines": ["core", "numeric", "pairs", "mechanisms", "lattice"],
    "account": ["core", "numeric", "pairs", "mechanisms", "sampling", "lattice", "engines"],
    "readout": ["core", "numeric", "pairs", "mechanisms", "engines", "account"],
    # The bounds are an independent witness: the mechanisms' parameters, none of the engines.
    "bounds": ["core", "numeric", "pairs", "mechanisms"],
    "calibrate": ["core", "numeric", "pairs", "mechanisms", "lattice", "engines", "account", "readout", "bounds"],
    "audit": ["core", "numeric", "pairs", "mechanisms", "engines", "account", "readout", "bounds"],
    "formats": ["core", "numeric", "pairs", "mechanisms", "sampling", "account", "readout", "bounds", "calibrate"],
    "ledger": ["core", "numeric", "pairs", "mechanisms", "account", "readout", "bounds", "calibrate", "formats"],
    "report": ["core", "numeric", "pairs", "mechanisms", "sampling", "engines", "account", "readout", "bounds", "calibrate", "audit", "formats"],
}
# The headers in src that a room offers to the others, the command and the Python package. All other headers in src are its
# own affair. A folder of engines is a room of its own here.
OFFERS = {
    "core": "dashes intersection number_text opposite_direction outward_text price printable range same_neighbours side standard_arithmetic work",
    "numeric": "compensated_sum exact_fraction exp_or_zero extended fft later log_bound log_doubt log_gamma log_range log_sum middle_double normal_tail roundings well_above",
    "pairs": """additive_noise_pair analytic_law atomic_pair bounded_range_pair concentrated_slope countable discrete_gaussian_pair
        discrete_laplace_pair either_order_pair exponential_density fused gaussian_allocation gaussian_pair laplace_pair later_pair least_renyi location_family loss_cuts loss_grid mirrored
        mirrored_pair mixed_shifts_law mixture_pair monotone_pair normal_noise one_lattice ordered_law ordered_shifts outline_cells pair_divergence pair_sum profile_pair release_moments remembered
        renyi_conversion renyi_curve renyi_pair rounded_total sample_of shifted_masses_pair stepped_pair term two_atom_pair whole_outcome_pair whole_sensitivity""",
    "sampling": "sampled_laws schemes spliced_pair",
    "lattice": "convolve cumulant discretise lattice_composer lattice_measure lattice_profile tilted_cuts",
    "engines": "answer_width inverse piece_ask profile_piece question search",
    "engines/closed_form": "closed_form",
    "engines/contour": "contour smoothed",
    "engines/ends": "largest_loss",
    "engines/moments": "equal_shares moment_bounds",
    "engines/rare_losses": "few_hits hits hits_apart one_hit some_trial",
    "engines/tilted_lattice": "lattice_engine lattice_query without_lattice",
    "account": "all_neighbours answers_met boxed_kinds common_lattice directed_run engine_refusals engine_table epsilon_series far_gaussian finer_laws larger_of largest_of_neighbours mirrored_profile plain_answer profile_fall profile_on_lattice profile_routes renyi_routes running_total_state steps test_threshold",
    "readout": "gaussian_mu",
    "bounds": "overloaded",
    "calibrate": "attained last_accepted",
    "audit": "claim independent_runs",
    "formats": """answer_fields answered_query composition_fields dp_event fields fresh_file goal_json json_position matrix_file mechanism_words named near_name numbers_file open_tries query_text
        read_number selection_text strict_json text_file told_with_place training_run tries_text""",
    "ledger": "asked_rules budget_rows budget_steps budget_store ledger_json",
    "report": "comparison directions explanation outward_words",
}
GUESTS = ["tools", "python/binding", "validation"]  # who uses the rooms besides themselves
THEOREMS = ["bounds"]  # public rooms of which pld.hpp need not include every header: each theorem has its own
GENERATED = ["pld/version.hpp"]  # from cmake
STANDARD_ONLY = ["core"]  # rooms that use no library
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(path):
    """The room of a header as it is included."""
    return path.removeprefix("pld/").split("/")[0]


def offered_by(path):
    """Where OFFERS lists a header of src, and by what name."""
    folder, _, name = path.removesuffix(".hpp").rpartition("/")
    return folder, name


class Project:
    def __init__(self, root):
        self.files = {}  # as it is included, or relative to src -> its path
        for folder in ("include", "src"):
            for file in sorted((root / folder).rglob("*.[hc]pp")):
                self.files[file.relative_to(root / folder).as_posix()] = file
        self.includes = {name: INCLUDE.findall(file.read_text()) for name, file in self.files.items()}
        self.guests = {}  # relative to root: users of the rooms that are none themselves
        for folder in GUESTS:
            for file in sorted((root / folder).rglob("*.[hc]pp")):
                self.guests[file.relative_to(root).as_posix()] = INCLUDE.findall(file.read_text())

    def is_private(self, name):
        return name in self.files and name.endswith(".hpp") and not name.startswith("pld/")

    def map_of_rooms(self):
        for name, includes in self.includes.items():
            room, public = room_of(name), name.startswith("pld/")
            if name == "pld/pld.hpp":
                continue
            if room not in BELOW:
                yield name, f"{room} is no room that this script lists"
                continue
            for bracket, include in includes:
                if include in self.files:
                    if bracket == "<":
                        yield name, f"<{include}> is the project's own: use quotes"
                    if room_of(include) not in [room, *BELOW[room]]:
                        yield name, f"{room} includes {include}, but may include only {', '.join([room, *BELOW[room]])}"
                    if public and self.is_private(include):
                        yield name, f"a public header includes {include}, which is not installed"
                elif bracket == '"' and include not in GENERATED:
                    yield name, f"there is no {include}: paths start at src or include"
                elif public and ("/" in include or include.endswith(".h")):
                    yield name, f"a public header includes <{include}>, but libraries belong in src"
                elif room in STANDARD_ONLY and "/" in include:
                    yield name, f"{room} includes <{include}>, but may include only the standard library"

    def fences(self):
        """Private headers that are included from outside their room without being offered, and offers that nobody takes."""
        offers = {(room, name) for room, names in OFFERS.items() for name in names.split()}
        taken = set()
        for name, includes in {**self.includes, **self.guests}.items():
            for _, include in includes:
                offer = offered_by(include)
                if not self.is_private(include) or offer[0] == offered_by(name)[0]:
                    continue
                taken.add(offer)
                if offer not in offers:
                    yield name, f"includes {include}, which {offer[0]} keeps to itself (OFFERS in check_includes.py)"
        for room, name in sorted(offers - taken):
            yield f"{room}/{name}.hpp", "is offered to other rooms, but none includes it"

    def doors(self):
        """Public headers that pld.hpp does not lead to: nobody was promised them."""
        reached, ahead = set(), ["pld/pld.hpp"]
        while ahead:
            name = ahead.pop()
            if name not in reached and name in self.files:
                reached.add(name)
                ahead += [include for _, include in self.includes[name]]
        for name in self.files:
            if name.startswith("pld/") and name not in reached and room_of(name) not in THEOREMS:
                yield name, "is public, but pld.hpp does not lead to it"

    def own_header_first(self):
        """A source that includes its header first shows that the header compiles alone."""
        for name, includes in self.includes.items():
            header = name.removesuffix(".cpp") + ".hpp"
            own = header if header in self.files else f"pld/{header}"
            if name.endswith(".cpp") and own in self.files and includes[0][1] != own:
                yield name, f"includes {includes[0][1]} before its own header {own}"

    def circles(self):
        """Modules (a header and its source) that include each other, along any path."""
        module = lambda name: re.sub(r"\.[hc]pp$", "", name.removeprefix("pld/"))
        graph = {}
        for name, includes in self.includes.items():
            graph.setdefault(module(name), set()).update(
                module(i) for _, i in includes if i in self.files and module(i) != module(name))
        done, path = set(), []

        def visit(node):
            if node in path:
                circle = path[path.index(node):] + [node]
                yield node, f"{' -> '.join(circle)}: these include each other"
                return
            if node in done:
                return
            done.add(node)
            path.append(node)
            for below in sorted(graph.get(node, ())):
                yield from visit(below)
            path.pop()

        for node in sorted(graph):
            yield from visit(node)


def main():
    project = Project(pathlib.Path(sys.argv[1]).resolve())
    rules = project.map_of_rooms, project.fences, project.doors, project.own_header_first, project.circles
    found = [f"{name}: {problem}" for rule in rules for name, problem in rule()]
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
