import type { PageRun } from "./page-run.ts";
import { LOCAL_FILES, PI_IN_PYTHON } from "./pages-of-docs.ts";

const INSTALLED = { runBy: "tools/packages/packages.test.mjs", as: "installed alone into an empty project" } as const;
const CONFORMANCE = { runBy: ".ci/run", as: "vitest.mjs run --project conformance" } as const;

const UNTIL_WATCHED =
  "until grep -q 'waiting for a change' watch.out; do sleep 0.5; done; kill $!; wait $!; cat watch.out";

export const PAGES_OF_PACKAGES: Readonly<Record<string, PageRun>> = {
  "packages/connect/README.md": {
    bench: "folder",
    rows: [{ command: "kindling-connect", runBy: "packages/connect/test/command.test.ts", as: '"--profiles-file"' }],
  },
  "packages/submit-cli/README.md": {
    bench: "cluster",
    rows: [
      { command: "npm install --global", ...INSTALLED },
      { command: "kindling submit --class", with: { ...PI_IN_PYTHON, " 1000": " 4" }, prints: /Pi is roughly 3/ },
    ],
  },
  "packages/spark-submit/README.md": {
    bench: "cluster",
    before: ["mkdir -p spark/bin && touch spark/bin/spark-submit && export SPARK_HOME=$PWD/spark"],
    rows: [
      { command: "npm install --", ...INSTALLED },
      {
        command: "spark-submit --master",
        with: {
          ...PI_IN_PYTHON,
          "https://host:6443": "$API_SERVER",
          "--name pi": `--name pi --conf spark.kubernetes.namespace=$NAMESPACE`,
          " 1000": " 4",
        },
        prints: /exit code: 0/,
      },
      { command: "export PATH=/opt/kindling" },
      { command: "mv $SPARK_HOME/bin/spark-submit" },
      { command: "ln -s /opt/kindling" },
    ],
  },
  "packages/dev/README.md": {
    bench: "folder",
    files: LOCAL_FILES,
    rows: [
      { command: "npm install --global", ...INSTALLED },
      { command: "kindling dev up", needs: ["spark"], prints: /export KUBECONFIG/ },
      { command: "eval", needs: ["spark"] },
      { command: "kindling submit --num-executors 2", needs: ["spark"], prints: /^COUNT question 1$/m },
      { command: "kubectl get pods", needs: ["spark", "kubectl"], prints: /driver/ },
      { command: "kindling dev down", needs: ["spark"] },
      { command: "kindling dev run", needs: ["spark"], prints: /^COUNT question 1$/m },
      // The stand-in for Docker runs the rest of the page here.
      { command: "docker run -it --init", with: { docker: "true docker" } },
      { command: "apt-get update", with: { "apt-get": "true apt-get" } },
      {
        command: "kindling dev watch",
        needs: ["spark"],
        // It never ends by itself: it is ended after the application.
        with: { "--files text.txt": `--files text.txt >watch.out 2>&1 & ${UNTIL_WATCHED}` },
        prints: /ended with exit code 0; waiting for a change/,
      },
    ],
  },
  "apps/conformance/README.md": {
    bench: "repository",
    rows: [
      { command: "npx vitest run --project conformance", ...CONFORMANCE },
      { command: "KUBECONFIG=… npx vitest run --project conformance", ...CONFORMANCE },
    ],
  },
  "apps/conformance/CONFORMANCE.md": {
    bench: "repository",
    rows: [
      { command: "npx vitest run --project conformance", ...CONFORMANCE },
      { command: "KUBECONFIG=… npx vitest run --project conformance", ...CONFORMANCE },
    ],
  },
  // They need a Spark and take minutes: the package's tests cover what needs no Spark.
  "apps/differential/README.md": {
    bench: "repository",
    rows: [
      "SPARK_HOME=/opt/spark npm run differential",
      "npm run differential -- --spark-home",
      "npm run differential -- --case",
      "npm run differential -- --replay",
      "npm run differential -- --self-check",
    ].map((command) => ({ command, runBy: "package.json", as: "node apps/differential/dist/differential.js" })),
  },
  // The collection is not a part of this repository: the program's tests make one.
  "apps/public-cases/README.md": {
    bench: "repository",
    rows: [
      {
        command: "npm run public-cases",
        runBy: "package.json",
        as: "node apps/public-cases/dist/public-cases.js",
      },
    ],
  },
  "deploy/air-gap/README.md": {
    bench: "repository",
    rows: [
      { command: "npm run build", runBy: "package.json", as: "turbo run build" },
      {
        command: "node deploy/air-gap/archive.mjs",
        runBy: "deploy/air-gap/archive.test.mjs",
        as: '["deploy/air-gap/archive.mjs", "--output", folder',
      },
      {
        command: "(cd kindling-archive",
        runBy: "deploy/air-gap/archive.test.mjs",
        as: '"sha256sum", ["--check", "--strict", "SHA256SUMS"]',
      },
    ],
  },
  "deploy/images/README.md": {
    bench: "repository",
    rows: [
      { command: "npm run build", runBy: "package.json", as: "turbo run build" },
      { command: "docker build", runBy: "apps/integration/e2e-kind", as: "docker build" },
      {
        command: "node deploy/images/build.mjs",
        runBy: ".ci/end-to-end.sh",
        as: "node deploy/images/build.mjs --tag e2e",
      },
      { command: "docker load", runBy: ".ci/kind.sh", as: "docker load --input" },
    ],
  },
  "deploy/single-file/README.md": {
    bench: "repository",
    rows: [
      { command: "npm run build", runBy: "package.json", as: "turbo run build" },
      { command: "npm run single-file", runBy: "package.json", as: "node deploy/single-file/build.mjs" },
      {
        command: "./single-file/kindling-linux-x64 --version",
        runBy: "deploy/single-file/build.mjs",
        as: 'execFileSync(file, ["--version"]',
      },
    ],
  },
};
