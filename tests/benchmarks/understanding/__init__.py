"""How well requests are understood without a language model, on public sets and beside baselines on the same items.

    python -m tests.benchmarks.understanding --data DIR [--only ROW,..] [--cache DIR] [--no-publish]

``DIR`` holds a folder for each set, in its published form: ``metatool/`` (queries.csv, plugin_des.json), ``clinc150/``
(data.json), ``livemcpbench/`` (tools.json, annotations.json), ``snips/`` (one JSON file an intent), ``bfcl/`` (``bfcl``
names its files). A row whose set is not there says so and counts as short. Rows are independent: each is published when
it is measured, with its day and the state of the code, and the whole passes where all of them passed in one state
(``page``). Encodings are kept among the user's caches (``kept``). Weights and thresholds that Steward ships were tuned
on one half of MetaTool's queries, by a digest of their text (``sources.is_tuning``), those of calls by a schema alone
on items of BFCL (``bfcl``); what is reported is what they were not tuned on.
"""
