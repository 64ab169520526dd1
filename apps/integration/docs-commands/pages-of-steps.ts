import type { PageRun } from "./page-run.ts";
import { exampleOf } from "./pages.ts";

const INSTALLED = { runBy: "tools/packages/packages.test.mjs", as: "installed alone into an empty project" } as const;
const STRANGER = { runBy: "tools/packages/writing-a-step.test.mjs", as: "docs/writing-a-step.md" } as const;
const DRY_RUN =
  "--master k8s://https://127.0.0.1:1 --conf spark.kubernetes.container.image=apache/spark:4.3.0 local:///app.py";

/** Puts a package of this repository where a reader would have installed it. */
function install(name: string): string {
  return `mkdir -p node_modules/@kindling && ln -s $REPOSITORY/contrib/${name} node_modules/@kindling/${name}`;
}

/** READMEs of steps. Nothing is submitted: the objects show what a step does. */
export const PAGES_OF_STEPS: Readonly<Record<string, PageRun>> = {
  "docs/writing-a-step.md": { bench: "folder", rows: [{ command: "", ...STRANGER }] },
  "packages/create-step/README.md": { bench: "folder", rows: [{ command: "", ...STRANGER }] },
  "docs/steps.md": {
    bench: "folder",
    files: { "cost-center.js": exampleOf("docs/steps.md", "js"), "package.json": '{ "type": "module" }' },
    before: [
      "mkdir -p node_modules/@kindling && ln -s $REPOSITORY/packages/core-spec node_modules/@kindling/",
      install("steps-vault"),
      install("steps-labels"),
    ],
    rows: [
      {
        command: "kindling submit --steps ./cost-center.js …",
        with: { "…": `--conf spark.example.costCenter=0042 --dry-run ${DRY_RUN}` },
        prints: /example\.com\/cost-center: "0042"/,
      },
      {
        command: "kindling submit --conf spark.kindling.steps=",
        with: {
          "@example/steps-cost-center,@example/steps-vault": "@kindling/steps-labels,@kindling/steps-vault",
          "…": `--conf spark.kindling.label.team=search --dry-run ${DRY_RUN}`,
        },
        prints: /team: search/,
      },
    ],
  },
  "contrib/steps-labels/README.md": {
    bench: "folder",
    files: { "labels.yaml": exampleOf("contrib/steps-labels/README.md", "yaml") },
    before: [
      install("steps-labels"),
      "echo spark.kindling.steps @kindling/steps-labels > $KINDLING_SITE_CONFIG",
      "echo spark.kindling.labels.policy $PWD/labels.yaml >> $KINDLING_SITE_CONFIG",
    ],
    rows: [
      { command: "npm install", ...INSTALLED },
      {
        command: "cat /etc/kindling/defaults.conf",
        with: { "/etc/kindling/defaults.conf": "$KINDLING_SITE_CONFIG", "/etc/kindling/labels.yaml": "…" },
      },
      {
        command: "kindling submit --conf spark.kindling.label.team=search …",
        with: { " …": ` --dry-run ${DRY_RUN}`, "/etc/kindling/labels.yaml": "…" },
        exit: 1,
      },
    ],
  },
  "contrib/steps-corporate/README.md": {
    bench: "cluster",
    before: [
      install("steps-corporate"),
      "mkdir -p ~/.config/kindling && printf '%s\\n' 'spark.kindling.steps @kindling/steps-corporate'" +
        " 'spark.kindling.corporate.ca.configMap corporate-ca' 'spark.kindling.corporate.ca.truststore truststore.p12'" +
        " 'spark.kindling.corporate.proxy.https http://proxy.example.com:3128'" +
        " 'spark.kindling.corporate.proxy.noProxy .example.com,10.0.0.0/8' > ~/.config/kindling/defaults.conf",
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /CN=corporate -days 1",
    ],
    rows: [
      { command: "npm install", ...INSTALLED },
      { command: "cat ~/.config/kindling/defaults.conf" },
      { command: "kindling submit --dry-run --executor …", with: { "…": DRY_RUN }, prints: /proxy\.example\.com/ },
      { command: "keytool", needs: ["keytool"] },
      { command: "kubectl create configmap", needs: ["kubectl", "keytool"] },
    ],
  },
  "contrib/steps-vault/README.md": {
    bench: "folder",
    before: [install("steps-vault")],
    rows: [
      { command: "npm install", ...INSTALLED },
      {
        command: "kindling submit --steps @kindling/steps-vault",
        with: { "submit --steps": "submit --dry-run --steps", " …": ` ${DRY_RUN}` },
        prints: /vault\.hashicorp\.com/,
      },
      // There is no Vault here; this command is documented by Vault itself.
      { command: "vault write", with: { "vault write": "true vault write" } },
    ],
  },
};
