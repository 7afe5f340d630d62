# make run | mirror | test | test-all | check | bench-plans | bench-start | bench-ask | bench-commit | bench-firewall | bench-graph | bench-habits | bench-kernelbench | bench-kernels | bench-limits | bench-mcp | bench-parallel | bench-recall | bench-sandbox | bench-skills | bench-understanding | golden | rules | escape | faults | powerloss | mutants | red-team | models | agentdojo | adaptive | packages | mail-once | mcp-real | vm-cgroup2 | gpu-static | gpu-check
SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet
TESTS := $(VENV)/.steward-tests
AGENTDOJO := .venv-agentdojo
GPU_PY := $(shell test -x $(PY) && echo $(PY) || echo python3)
# What is held against time runs afterwards, one test at a time: beside others every measurement is of them too.
PACE := tests/kernel/pace tests/skills/pace tests/gpu_skills/search/test_real.py
# Half of what a test takes is waiting: for a cell, a daemon, a browser, a clock. Two workers a processor keep it busy.
PROCESSORS := $(shell nproc 2>/dev/null || echo 2)
WORKERS := $(shell expr 2 \* $(PROCESSORS))
PARALLEL := --maxprocesses 8 --dist worksteal $(addprefix --ignore=,$(PACE))
FAST := -n $(WORKERS) $(PARALLEL) -m 'not slow and not sandbox and not browser and not embed and not chroma and not torch and not triton'
# What Python has compiled is kept: otherwise every run, and every process that a test starts, compiles it all again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run mirror test test-all check lint types fast-tests bench-plans bench-start bench-ask bench-commit bench-firewall bench-graph bench-habits bench-kernelbench bench-kernels bench-limits bench-mcp bench-parallel bench-recall bench-sandbox bench-skills golden escape faults powerloss mutants red-team models agentdojo adaptive packages mail-once mcp-real vm-cgroup2 bench-understanding rules gpu-static gpu-check clean

run: ## start the daemon and open the page
	./steward up
	./steward open

$(TESTS): pyproject.toml
	./steward --version
	$(PIP) -e '.[test]'
	cp pyproject.toml $(TESTS)

test: $(TESTS) ## everything that needs no extra
	$(PY) -P -m pytest -n $(WORKERS) $(PARALLEL) -rs
	$(PY) -P -m pytest $(PACE)

test-all: $(TESTS) ## every extra installed, every test
	./steward setup embed chroma kernels gpu --yes
	$(PIP) 'accelerate>=1,<2' # which transformers serve wants: a real server for models in the tests
	$(PY) -P -m pytest -m 'embed or chroma or torch or triton'

check: lint ## format, lint, types, arrows, fast tests
	+$(MAKE) --no-print-directory -j 2 types fast-tests
	$(PY) -P -m pytest $(PACE) -m 'not slow'
	@echo 'check: all good'

lint: $(TESTS)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(VENV)/bin/lint-imports

types: $(TESTS) # one process of its own, beside the tests
	$(PY) -m mypy

fast-tests: $(TESTS)
	$(PY) -P -m pytest $(FAST)

golden: $(TESTS) ## the golden sentences, and docs/results/golden.md
	$(PY) -m tests.benchmarks.golden

rules: $(TESTS) ## the golden rules set by set, and docs/results/rules.md
	$(PY) -m tests.benchmarks.rules

mirror: $(TESTS) ## sentences made of the manifests alone, and what the planner makes of them: docs/results/mirror.md
	$(PY) -m tests.benchmarks.mirror --write

bench-start: $(TESTS) ## start-up, idle cost, size on disk
	$(PY) -m tests.benchmarks.start

bench-ask: $(TESTS) ## a warm one-task request
	$(PY) -m tests.benchmarks.ask

bench-firewall: $(AGENTDOJO)/.made ## orders in texts of others: found, and falsely found
	PYTHONPATH=$$(echo $(AGENTDOJO)/lib/python3*/site-packages) $(PY) -m tests.benchmarks.firewall

bench-graph: $(TESTS) ## writing a fact down, asking, ranking, building anew
	$(PY) -m tests.benchmarks.graph

bench-habits: $(TESTS) ## what comes again: seen, kept, foretold: make bench-habits DATA=folder
	$(PY) -m tests.benchmarks.habits --data $(DATA)

bench-kernels: $(TESTS) ## the kernel optimizer on twelve rows beside eager PyTorch and torch.compile, at most 15 minutes; needs the kernels extra and g++
	$(PY) -m tests.benchmarks.kernels

bench-kernelbench: $(TESTS) ## KernelBench at reduced size: covered, faster, wrong; make bench-kernelbench DATA=folder, NOTES=file goes on
	$(PY) -m tests.benchmarks.kernelbench --data $(DATA) $(if $(NOTES),--notes $(NOTES))

bench-limits: $(TESTS) ## memory limits: none, one for all, hints, learned
	$(PY) -m tests.benchmarks.limits

bench-mcp: $(TESTS) ## a server's tool through our cell beside the protocol's own client; cold; idle
	$(PY) -m tests.benchmarks.mcp

bench-recall: $(TESTS) ## finding what was said, among 100,000 memories; DATA=locomo10.json measures what is found
	$(PY) -m tests.benchmarks.recall $(if $(DATA),--data $(DATA))

bench-commit: $(TESTS) ## a commit and an undo against cp, sha256sum and sync
	$(PY) -m tests.benchmarks.commit

bench-plans: $(TESTS) ## dispatch against the critical path and against polling; a bad task ends its plan
	$(PY) -m tests.benchmarks.plans

bench-parallel: $(TESTS) ## plans of look-ups at once, one by one, in waves and as they end
	$(PY) -m tests.benchmarks.parallel

bench-sandbox: $(TESTS) ## a call from its request to its sealed result, beside others; needs bubblewrap
	$(PY) -m tests.benchmarks.sandbox

bench-skills: $(TESTS) ## every SKILL.md under a path: read, and found by a sentence; make bench-skills DATA=folder
	$(PY) -m tests.benchmarks.skills $(if $(DATA),--data $(DATA))

bench-understanding: $(TESTS) ## public sets of requests, beside baselines: make bench-understanding DATA=folder
	$(PY) -m tests.benchmarks.understanding --data $(DATA)

faults: $(TESTS) ## a fault at every call on files of a run; needs strace
	$(PY) -m tests.proofs.faults

escape: $(TESTS) ## every attack of the escape list, at every level, as root and as an ordinary user
	$(PY) -m tests.proofs.escape

powerloss: $(TESTS) ## the power goes after every write of the ledger, a commit and an undo
	$(PY) -m tests.proofs.powerloss

mutants: $(TESTS) ## a sample of the guards of permissions is taken out, line by line; the tests must notice
	$(PY) -m tests.proofs.mutants

mail-once: $(TESTS) ## the daemon is killed around the send of a mail 100 times: never twice, the unclear is asked about
	$(PY) -m tests.proofs.mail_once

red-team: $(TESTS) ## cheats, wrong kernels and right ones before the judge of kernels; needs g++
	$(PY) -m tests.proofs.redteam

gpu-static: $(TESTS) ## every family of kernels for GPUs compiled without one: no spills, wide loads; needs the gpu extra
	$(PY) -m tests.proofs.gpu_static

gpu-check: ## kernels beside torch and AutoKernel on an NVIDIA GPU, ten minutes at most: make gpu-check AUTOKERNEL=checkout
	$(GPU_PY) -m tests.benchmarks.gpu $(if $(AUTOKERNEL),--autokernel $(AUTOKERNEL))

models: $(TESTS) ## a server for models that does everything wrong, asked by a real kernel; needs the models extra
	$(PY) -m tests.proofs.models

$(AGENTDOJO)/.made: tests/proofs/agentdojo/requirements.txt $(TESTS)
	rm -rf $(AGENTDOJO)
	$(PY) -m venv $(AGENTDOJO)
	$(AGENTDOJO)/bin/python -m pip --disable-pip-version-check install --quiet --no-deps -r $<
	$(PY) -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' > $$(ls -d $(AGENTDOJO)/lib/python3*/site-packages)/steward.pth
	touch $@

agentdojo: $(AGENTDOJO)/.made ## AgentDojo's tasks and attacks behind our dispatcher, the model in the attacker's hands; an environment of its own
	$(AGENTDOJO)/bin/python -m tests.proofs.agentdojo

adaptive: $(TESTS) ## attacks by words of others on a person who reads each card, each with a control; needs the models extra
	$(PY) -m tests.proofs.adaptive

packages: $(TESTS) ## hostile packages refused, honest ones taken, wider updates asked about, and nothing of them run
	$(PY) -m tests.proofs.packages

mcp-real: $(TESTS) ## five MCP servers as they come from PyPI and npm, each in its cell; needs npm
	$(PY) -m tests.proofs.mcp_real

vm-cgroup2: $(TESTS) ## the tests of control groups on a machine of version 2 alone, emulated; needs qemu-system-x86 and apt
	$(PY) -m tests.proofs.vm.cgroup2

clean:
	rm -rf $(VENV) $(AGENTDOJO) build *.egg-info
