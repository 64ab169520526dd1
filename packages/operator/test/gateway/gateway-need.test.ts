import type { KubeClient } from "@kindling/kube";
import type { FindInstallation } from "@kindling/submit";
import { expect, test } from "vitest";
import { needsGateway } from "../../src/gateway/gateway-need.ts";
import { objectRecord } from "../../src/caches/object-record.ts";
import { manifest } from "../../src/testing/manifest.ts";

const CLIENT = {} as KubeClient;
const GATEWAY = { "spark.kindling.scheduler": "gateway" };
const NATIVE = { "spark.kindling.scheduler": "native" };

function application(state: string, sparkConf: object | undefined, namespace = "spark-jobs") {
  const object = manifest("pi", sparkConf === undefined ? {} : { sparkConf }, namespace);
  return objectRecord({ ...object, status: { applicationState: { state } } } as object);
}

function installedWith(entries: Readonly<Record<string, string>>): FindInstallation {
  return (_client, { namespace, named }) =>
    Promise.resolve(
      named === "none" || namespace !== "spark-jobs"
        ? undefined
        : { namespace: "kindling", version: undefined, namespaces: undefined, entries, ca: undefined },
    );
}

test.each([
  ["says so and runs", [application("RUNNING", GATEWAY)], {}, true],
  ["says so and is submitted", [application("SUBMITTED", GATEWAY)], {}, true],
  ["says so and has ended", [application("COMPLETED", GATEWAY), application("", GATEWAY)], {}, false],
  ["says so where nobody serves it", [application("RUNNING", GATEWAY, "elsewhere")], {}, false],
  ["has the installation say so", [application("RUNNING", undefined)], GATEWAY, true],
  ["has an installation without one", [application("RUNNING", {})], {}, false],
  [
    "goes without the installation",
    [application("RUNNING", { "spark.kindling.installation": "none" })],
    GATEWAY,
    false,
  ],
  ["wants none", [application("RUNNING", NATIVE)], GATEWAY, false],
] as const)("an application that %s", async (_what, applications, installed, wanted) => {
  const serves = (namespace: string): boolean => namespace === "spark-jobs";
  const installations = installedWith(installed);
  const options = { client: CLIENT, applications: () => applications, serves, installations };
  expect(await needsGateway(options)).toBe(wanted);
});

test("an installation that cannot be looked at may have a gateway", async () => {
  const installations: FindInstallation = () => Promise.reject(new Error("nobody is there"));
  const applications = [application("RUNNING", undefined)];
  const options = { client: CLIENT, applications: () => applications, serves: () => true, installations };
  expect(await needsGateway(options)).toBe(true);
});
