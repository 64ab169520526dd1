// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { inNamespace } from "./harness/api-server.mjs";
import { amount } from "./harness/environment.mjs";
import { judge } from "./harness/judge.mjs";
import { CONF, startService, submitAll } from "./serve/client.mjs";

const THOUSAND = 1000;
const ROUNDS = 3;
/** How many forks run at a time, enough to keep two processors busy, and how many there are in total. */
const FORKS_AT_ONCE = 2;
const FORKS = 8;

/** Submissions over HTTP at a real API server: how many per second, with how much memory, and that none happens twice. */
export async function serve() {
  const count = amount("KINDLING_BENCH_SUBMISSIONS", THOUSAND);
  const access = await loadClusterAccess({});
  const client = createKubeClient(access);
  /** @param {string} what */
  const name = (what) => `kindling-benchmark-serve-${what}-${process.pid}`;
  try {
    const speed = await inNamespace({ client }, name("speed"), (own) => atFullSpeed(own, count, access.server));
    const kill = await inNamespace({ client }, name("kill"), (own) => killedInTheMiddle(client, own, count));
    return judge([...speed, ...kill]);
  } finally {
    client.close();
  }
}

/**
 * @param {string} namespace
 * @param {number} count
 * @param {string} server the API server's address
 * @returns {Promise<import("./harness/judge.mjs").Row[]>}
 */
async function atFullSpeed(namespace, count, server) {
  const service = await startService(namespace);
  try {
    /** @param {number} round */
    const ids = (round) => Array.from({ length: count }, (_, index) => `job-${round}-${index}`);
    // Objects that are created once and kept exist after this.
    await submitAll(service.uri, namespace, ids(0));
    const before = await service.figures();
    const started = clock.monotonic();
    for (let round = 1; round <= ROUNDS; round++) await submitAll(service.uri, namespace, ids(round));
    const perSecond = (ROUNDS * count) / ((clock.monotonic() - started) / 1000);
    const after = await service.figures();
    const grown = ((after.kept - before.kept) / (ROUNDS * count)) * THOUSAND;
    const cpu = (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6 / (ROUNDS * count);
    const forks = await byForking(namespace, server);
    return [
      {
        what: "submissions a second, by the service, end to end",
        found: perSecond.toFixed(1),
        wanted: "at least 30",
        holds: perSecond >= 30,
      },
      ...(forks === undefined
        ? []
        : [
            { what: "submissions a second, by forking spark-submit, two at a time", found: forks.toFixed(2) },
            { what: "ratio", found: `${(perSecond / forks).toFixed(0)}×` },
          ]),
      { what: "processor time of the service for one", found: `${(cpu * 1000).toFixed(1)} ms` },
      {
        what: "memory for each further 1,000 applications that stay, after garbage collection",
        found: `${grown.toFixed(2)} MiB`,
        wanted: "at most 2 MiB",
        holds: grown <= 2,
      },
      { what: `memory with ${(ROUNDS + 1) * count} applications`, found: `${after.kept.toFixed(0)} MiB` },
      { what: "the process", found: `${after.rss.toFixed(0)} MiB resident` },
    ];
  } finally {
    await service.end("SIGTERM");
  }
}

/**
 * The real spark-submit, with one process for each submission.
 *
 * @param {string} namespace
 * @param {string} server
 * @returns {Promise<number | undefined>} how many per second
 */
async function byForking(namespace, server) {
  const homes = (process.env["SPARK_HOMES"] ?? "").split(",");
  const command = homes.map((home) => join(home, "bin", "spark-submit")).find(existsSync);
  if (command === undefined) return undefined;
  const conf = { ...CONF, "spark.kubernetes.namespace": namespace };
  const args = [
    ...["--master", `k8s://${server}`, "--deploy-mode", "cluster", "--name", "benchmark"],
    ...["--class", "org.apache.spark.examples.SparkPi"],
    ...Object.entries({ ...conf, "spark.kubernetes.submission.waitAppCompletion": "false" }).flatMap((entry) => [
      "--conf",
      entry.join("="),
    ]),
    ...["local:///opt/spark/examples/jars/spark-examples.jar", "1000"],
  ];
  const rest = Array.from({ length: FORKS }).keys();
  const lane = async () => {
    for (const _ of rest) {
      const [code] = await once(spawn(command, args, { stdio: "ignore" }), "exit");
      if (code !== 0) throw new Error(`spark-submit ended with ${code}`);
    }
  };
  const started = clock.monotonic();
  await Promise.all(Array.from({ length: FORKS_AT_ONCE }, lane));
  return FORKS / ((clock.monotonic() - started) / 1000);
}

/**
 * Kills the service when two fifths of the submissions are answered, sends all of them again, and counts.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {number} count
 * @returns {Promise<import("./harness/judge.mjs").Row[]>}
 */
async function killedInTheMiddle(client, namespace, count) {
  const ids = Array.from({ length: count }, (_, index) => `once-${index}`);
  const first = await startService(namespace);
  let answered = 0;
  /** @type {Promise<void>[]} */
  const kills = [];
  const statuses = await submitAll(first.uri, namespace, ids, {
    again: false,
    onAnswer(status) {
      if (status === 201) answered += 1;
      if (answered >= count * 0.4 && kills.length === 0) kills.push(first.end("SIGKILL"));
    },
  });
  await Promise.all(kills);
  const unanswered = statuses.filter((status) => status === 0).length;
  const second = await startService(namespace);
  await submitAll(second.uri, namespace, ids);
  await second.end("SIGTERM");
  const [pods, services, maps] = await Promise.all([
    client.listAll(resources.pods, { namespace }),
    client.listAll(resources.services, { namespace }),
    client.listAll(resources.configmaps, { namespace }),
  ]);
  const found = new Set(pods.items.map(({ metadata }) => metadata?.labels?.["submission.kindling/id"]));
  const applications = pods.items.map(({ metadata }) => metadata?.labels?.["spark-app-selector"]);
  /** @param {string | undefined} one */
  const isComplete = (one) =>
    services.items.filter(({ metadata }) => metadata?.labels?.["spark-app-selector"] === one).length === 1;
  const incomplete = applications.filter((one) => !isComplete(one)).length;
  const ownMaps = maps.items.filter(({ metadata }) => metadata?.name !== "kube-root-ca.crt").length;
  return [
    { what: "without an answer when it was killed", found: String(unanswered), holds: unanswered > 0 },
    {
      what: `${count} submissions, killed in the middle and sent again`,
      found: `${found.size} applications, ${pods.items.length - found.size} twice, ${incomplete} incomplete`,
      wanted: `${count}, none twice`,
      holds:
        found.size === count && pods.items.length === count && incomplete === 0 && ownMaps % count === 0 && ownMaps > 0,
    },
  ];
}
