import fc from "fast-check";
import { expect, test } from "vitest";
import { parseProfiles } from "../src/index.ts";

const FULL = `
profiles:
  small:
    description: one core, for trying things
    namespace: team-a
    image: apache/spark:4.3.0
    driver: {cores: 1, memory: 1g, serviceAccount: spark}
    executor: {cores: 1, memory: 1g, min: 0, max: 4}
    conf: {spark.sql.shuffle.partitions: 8, spark.ui.enabled: false}
    queue: adhoc
    queues: [adhoc/night]
    sharing: session
    idle: 20m
    ttl: 12h
    warm: 2
    access: {groups: [analysts]}
  sail:
    namespace: team-a
    image: sail:0.7
    command: [sail, spark, server, --ip, 0.0.0.0, --port, "50051"]
    port: 50051
    resources: {cpu: 1, memory: 2Gi}
`;

test("a profile says what is made for its sessions", () => {
  const { profiles, faults } = parseProfiles(FULL, "profiles.yaml");
  expect(faults).toEqual([]);
  const [small, sail] = profiles;
  expect(small).toMatchObject({
    ...{ name: "small", namespace: "team-a", queue: "adhoc", queues: ["adhoc/night"], sharing: "session" },
    ...{ idleSeconds: 1200, ttlSeconds: 43_200, warm: 2, access: { users: [], groups: ["analysts"] } },
  });
  expect(small?.engine).toMatchObject({
    kind: "spark",
    conf: {
      "spark.kubernetes.container.image": "apache/spark:4.3.0",
      "spark.driver.memory": "1g",
      "spark.dynamicAllocation.maxExecutors": "4",
      "spark.sql.shuffle.partitions": "8",
      "spark.ui.enabled": "false",
    },
  });
  expect(sail?.engine).toMatchObject({ kind: "container", port: 50_051, cpu: "1", memory: "2Gi" });
});

test.each([
  ["no YAML", "profiles: [", /^p\.yaml:1: /],
  ["no profiles", "small: {}", "p.yaml: it has no map called profiles"],
  [
    "a name that no label can have",
    "profiles:\n  Big Ones: {namespace: a, image: i}",
    /^p\.yaml:2: profile Big Ones: a name has/,
  ],
  ["no namespace", "profiles:\n  a: {image: i}", "p.yaml:2: profile a: namespace is missing"],
  [
    "an unknown field",
    "profiles:\n  a:\n    namespace: n\n    imagge: i",
    /^p\.yaml:4: profile a: there is no field imagge: there is namespace/,
  ],
  [
    "a wrong duration",
    "profiles:\n  a: {namespace: n, image: i, idle: soon}",
    "p.yaml:2: profile a: idle is not a duration such as 30m",
  ],
  [
    "two contradicting amounts",
    "profiles:\n  a: {namespace: n, image: i, executor: {instances: 1, max: 2}}",
    /instances and max contradict each other/,
  ],
  [
    "more than the most",
    "profiles:\n  a: {namespace: n, image: i, executor: {min: 3, max: 2}}",
    /min 3 is more than max 2/,
  ],
  [
    "an end before the start",
    "profiles:\n  a: {namespace: n, image: i, ttl: 1m}",
    /ttl ends a driver before startTimeout lets it start/,
  ],
  [
    "a key of the service's",
    "profiles:\n  a: {namespace: n, image: i, conf: {spark.kubernetes.namespace: m}}",
    /spark.kubernetes.namespace is set by kindling-connect/,
  ],
  [
    "a key twice",
    "profiles:\n  a: {namespace: n, image: i, driver: {memory: 1g}, conf: {spark.driver.memory: 2g}}",
    /spark.driver.memory is also said by a field/,
  ],
  [
    "a command without an image",
    "profiles:\n  a: {namespace: n, command: [serve]}",
    "p.yaml:2: profile a: image is missing",
  ],
  [
    "Spark's field for another engine",
    "profiles:\n  a: {namespace: n, image: i, command: [serve], conf: {a: b}}",
    /there is no field conf/,
  ],
])("%s is a fault with its line", (_, text, fault) => {
  const { profiles, faults } = parseProfiles(text, "p.yaml");
  expect(profiles).toEqual([]);
  expect(faults).toEqual([expect.stringMatching(fault)]);
});

test("a profile with a fault leaves the others alone", () => {
  const { profiles, faults } = parseProfiles("profiles:\n  a: {idle: x}\n  b: {namespace: n, image: i}", "p.yaml");
  expect(profiles.map(({ name }) => name)).toEqual(["b"]);
  expect(faults).toHaveLength(2);
});

test("no text makes it fail", () => {
  const line = fc.constantFrom(
    "profiles:",
    "  a:",
    "  a: &x {b: *x}",
    "    namespace: n",
    "    image: i",
    "    conf: {a: [1]}",
    "    idle: -1",
    "  ? {}",
    "    <<: *y",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(line).map((lines) => lines.join("\n")),
      ),
      (text) => {
        const { profiles, faults } = parseProfiles(text, "p.yaml");
        expect(profiles.length + faults.length).toBeGreaterThan(0);
      },
    ),
  );
});
