// @ts-check
// Makes the pictures of README.md from a real run: `node tools/references/pictures.mjs`. It starts a development cluster with a
// gateway, submits applications to it, and draws the terminal output of commands to docs/pictures/terminal.svg. With
// KINDLING_BROWSER, the executable of a Chromium, it also takes a picture of the gateway's page. It needs a Spark (SPARK_HOME),
// Java, Python and `script` of util-linux.
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { terminalPicture } from "./pictures/terminal-picture.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PICTURES = join(ROOT, "docs", "pictures");
const COLUMNS = 118;

const FILES = {
  "words.py": `from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
words = spark.read.text("text.txt").rdd.flatMap(lambda row: row[0].split())
for word, count in sorted(words.countByValue().items()):
    print(word, count)
`,
  "long.py": `import time
from pyspark.sql import SparkSession

SparkSession.builder.getOrCreate()
time.sleep(3600)
`,
  "text.txt": "to be or not to be\n",
  "queues.yaml": `queues:
  - {name: etl, weight: 3, guarantee: {cpu: 2}}
  - {name: adhoc, ceiling: {cpu: 3}}
`,
};

/** These commands run first and are not shown: they fill the queues. */
const BEFORE = [
  "kindling submit --name nightly --conf spark.kindling.scheduler.queue=etl --num-executors 2 long.py",
  "kindling submit --name notebook --conf spark.kindling.scheduler.queue=adhoc --num-executors 1 long.py",
  "kindling submit --name report --conf spark.kindling.scheduler.queue=adhoc --num-executors 2 long.py",
];

/** The commands that the picture shows. */
const SHOWN = [
  "kindling submit --name words --conf spark.kindling.scheduler.queue=etl --num-executors 2 --files text.txt words.py",
  "kindling list",
  "kindling queue",
];

const folder = mkdtempSync(join(tmpdir(), "kindling-pictures-"));
const state = join(folder, "state");
const bin = join(folder, "bin");
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
mkdirSync(bin);
for (const { name, path } of [
  { name: "kindling", path: "packages/submit-cli/bin/kindling.js" },
  { name: "kindling-dev", path: "packages/dev/bin/kindling-dev.js" },
]) {
  writeFileSync(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, path)}' "$@"\n`, { mode: 0o755 });
}
/** @type {NodeJS.ProcessEnv} */
const env = {
  ...process.env,
  PATH: `${bin}:${process.env["PATH"]}`,
  KUBECONFIG: join(state, "kubeconfig"),
  SPARK_CONF_DIR: join(state, "conf"),
  TERM: "xterm-256color",
};

/**
 * Runs a command on a terminal.
 * @param {string} command
 * @returns {Promise<string>} all output, including escape sequences
 */
async function onTerminal(command) {
  const child = spawn("script", ["-qec", `stty cols ${COLUMNS}; ${command}`, "/dev/null"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
  await new Promise((resolve) => child.once("close", resolve));
  return printed;
}

/**
 * @param {string} command
 * @returns {Promise<string>}
 */
async function quietly(command) {
  return (await promisify(execFile)("sh", ["-c", command], { cwd: folder, env })).stdout;
}

/**
 * Waits until the gateway's overview has the wanted states.
 * @param {string} page
 * @param {(states: Readonly<Record<string, string>>) => boolean} isThere
 */
async function until(page, isThere) {
  for (;;) {
    const overview = await (await fetch(new URL("api/overview", page))).json();
    const { applications } = /** @type {{ applications: { name: string, state: string }[] }} */ (overview);
    const states = applications.map((one) => [one.name, one.state]);
    if (isThere(Object.fromEntries(states))) return applications;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

try {
  const dev = `kindling dev up --state '${state}' --gateway --queues queues.yaml --cpu 8 --memory 16Gi`;
  await quietly(dev);
  const status = JSON.parse(await quietly(`kindling dev status --state '${state}' -o json`));
  for (const command of BEFORE)
    await quietly(command.replace(" --name", " --conf spark.kubernetes.submission.waitAppCompletion=false --name"));
  await until(
    status.gateway.page,
    ({ nightly, notebook, report }) =>
      [nightly, notebook].every((one) => one === "Running") && report === "SchedulingGated",
  );
  const session = [];
  for (const command of SHOWN) session.push({ command, printed: await onTerminal(command) });
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(PICTURES, "terminal.svg"), terminalPicture(session, { columns: COLUMNS }));
  const browser = process.env["KINDLING_BROWSER"];
  if (browser !== undefined) {
    const flags = [
      "--headless=new",
      "--no-sandbox",
      "--hide-scrollbars",
      "--virtual-time-budget=2000",
      "--window-size=1100,1240",
    ];
    await promisify(execFile)(browser, [...flags, `--screenshot=${join(PICTURES, "page.png")}`, status.gateway.page]);
  }
} finally {
  await quietly(`kindling dev down --state '${state}'`);
  rmSync(folder, { recursive: true, force: true });
}
