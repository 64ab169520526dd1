// @ts-check
// Writes deploy/manifests from the chart, for users without Helm. Needs helm (KINDLING_HELM, or in PATH).
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = new URL("../../", import.meta.url);

const NAMESPACE = "kindling";

/** The files, each with the chart values for it. The files contain no certificates: certificates.sh makes them. */
const PROFILES = {
  "kindling.yaml": ["tls.mode=secrets"],
  "kindling-s3.yaml": [
    "tls.mode=secrets",
    "staging.replicas=2",
    "staging.storage.kind=s3",
    "staging.storage.s3.bucket=kindling-staging",
    "staging.storage.s3.credentialsSecret=kindling-s3",
  ],
};

/**
 * The files as they should be now, by their paths.
 *
 * @param {string} helm the program
 * @returns {Readonly<Record<string, string>>}
 */
export function plainManifests(helm) {
  const chart = fileURLToPath(new URL("deploy/helm/kindling", root));
  const files = Object.entries(PROFILES).map(([name, values]) => {
    const flags = ["--namespace", NAMESPACE, "--kube-version", "1.28.0", "--skip-tests", "--set", values.join(",")];
    const text = execFileSync(helm, ["template", "kindling", chart, ...flags], { encoding: "utf8" });
    return [fileURLToPath(new URL(`deploy/manifests/${name}`, root)), `${heading(values)}${withoutHelm(text)}`];
  });
  return Object.fromEntries(files);
}

/** @param {readonly string[]} values */
function heading(values) {
  return `# Kindling without Helm: see docs/install.md. Written by \`node tools/references/plain-manifests.mjs\` from the chart, with
${values.map((value) => `#   ${value}`).join("\n")}
apiVersion: v1
kind: Namespace
metadata:
  name: ${NAMESPACE}
`;
}

/**
 * Removes the labels that say that Helm manages the objects.
 *
 * @param {string} text
 */
function withoutHelm(text) {
  return text.replaceAll(/^ *(?:app\.kubernetes\.io\/managed-by: Helm|helm\.sh\/chart: .*|# Source: .*)\n/gm, "");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, text] of Object.entries(plainManifests(process.env["KINDLING_HELM"] ?? "helm")))
    writeFileSync(path, text);
}
