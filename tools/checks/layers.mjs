// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Which packages of the workspace each package may depend on at run time. A package that is not listed may not depend on any.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const MAY_USE = {
  "@kindling/core-spec": [],
  "@kindling/outside": [],
  "@kindling/kube-objects": [],
  "@kindling/x509": ["outside"],
  "@kindling/shuffle-server": ["core-spec", "outside"],
  "@kindling/event-log-shipper": ["core-spec", "outside", "http", "recorder-client"],
  "@kindling/steps": ["core-spec"],
  "@kindling/diagnosis": ["core-spec"],
  "@kindling/admission": ["core-spec"],
  "@kindling/spark-application": ["core-spec"],
  "@kindling/spark-arguments": ["core-spec"],
  "@kindling/http": ["outside"],
  "@kindling/command-line": ["core-spec", "outside"],
  "@kindling/object-store": ["core-spec", "outside", "http"],
  "@kindling/kerberos": ["core-spec", "outside", "http", "x509"],
  "@kindling/kube": ["outside", "http", "kube-objects"],
  "@kindling/gateway-client": ["core-spec", "outside", "http", "kube"],
  "@kindling/staging-client": ["core-spec", "outside", "http"],
  "@kindling/recorder-client": ["core-spec", "diagnosis", "outside", "http"],
  "@kindling/submit": [
    "core-spec",
    "gateway-client",
    "outside",
    "steps",
    "diagnosis",
    "http",
    "kerberos",
    "kube",
    "staging-client",
    "object-store",
    "x509",
  ],
  "@kindling/submit-cli": [
    "core-spec",
    "gateway-client",
    "recorder-client",
    "spark-application",
    "spark-arguments",
    "outside",
    "steps",
    "http",
    "kube",
    "staging-client",
    "object-store",
    "submit",
    "diagnosis",
    "command-line",
  ],
  "@kindling/create-step": [],
  "@kindling/steps-corporate": ["core-spec"],
  "@kindling/steps-labels": ["core-spec"],
  "@kindling/steps-vault": ["core-spec"],
  "@kindling/spark-submit": ["submit-cli"],
  "@kindling/controller": ["core-spec", "outside", "kube"],
  "@kindling/service": ["core-spec", "outside", "command-line", "kube"],
  "@kindling/oidc": ["core-spec", "outside", "http", "service"],
  "@kindling/stores": ["core-spec", "outside", "http", "object-store", "service"],
  "@kindling/staging-server": [
    "core-spec",
    "controller",
    "outside",
    "http",
    "kube",
    "staging-client",
    "object-store",
    "command-line",
    "service",
    "stores",
  ],
  "@kindling/recorder": [
    "admission",
    "command-line",
    "core-spec",
    "controller",
    "diagnosis",
    "outside",
    "recorder-client",
    "http",
    "kube",
    "object-store",
    "service",
    "stores",
    "submit",
  ],
  "@kindling/submission-server": [
    "core-spec",
    "controller",
    "oidc",
    "outside",
    "kube",
    "diagnosis",
    "steps",
    "submit",
    "spark-arguments",
    "command-line",
    "service",
  ],
  "@kindling/connect": [
    "core-spec",
    "controller",
    "oidc",
    "outside",
    "kube",
    "diagnosis",
    "steps",
    "submit",
    "command-line",
    "service",
  ],
  "@kindling/operator": [
    "core-spec",
    "gateway-client",
    "spark-application",
    "controller",
    "outside",
    "http",
    "kube",
    "steps",
    "submit",
    "command-line",
    "service",
  ],
  "@kindling/localizer": ["core-spec", "outside", "http", "staging-client", "object-store", "command-line"],
  "@kindling/scheduler": ["core-spec", "outside", "steps", "kube"],
  "@kindling/api-server": ["core-spec", "outside", "kube-objects"],
  "@kindling/gateway": [
    "core-spec",
    "oidc",
    "diagnosis",
    "gateway-client",
    "controller",
    "outside",
    "recorder-client",
    "http",
    "kerberos",
    "kube",
    "kube-objects",
    "api-server",
    "steps",
    "admission",
    "command-line",
    "service",
  ],
  "@kindling/devcluster": ["core-spec", "outside", "kube-objects", "api-server", "x509"],
  "@kindling/dev": [
    "core-spec",
    "outside",
    "http",
    "kube",
    "devcluster",
    "gateway",
    "staging-server",
    "recorder",
    "event-log-shipper",
    "localizer",
    "operator",
    "connect",
    "submit-cli",
    "command-line",
  ],
};

/**
 * Dependencies in the wrong direction. pnpm does not let a package import anything that is not among its dependencies.
 *
 * @param {string} root the repository
 * @param {readonly string[]} folders of packages, relative to `root`
 * @returns {string[]} one line for each
 */
export function layerFaults(root, folders) {
  return folders.flatMap((folder) => {
    /** @type {import("../packages/manifests.mjs").Manifest} */
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (manifest.private === true) return [];
    const allowed = new Set((MAY_USE[manifest.name] ?? []).map((name) => `@kindling/${name}`));
    const used = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    });
    return used
      .filter((name) => name.startsWith("@kindling/") && !allowed.has(name))
      .map((name) => `${manifest.name} must not depend on ${name}`);
  });
}
