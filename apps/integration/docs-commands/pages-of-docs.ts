import type { PageRun } from "./page-run.ts";
import { exampleOf } from "./pages.ts";

const WORDS = `import sys
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
words = spark.read.text(sys.argv[1] if len(sys.argv) > 1 else "text.txt").rdd.flatMap(lambda row: row[0].split())
for word, count in sorted(words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).collect()):
    print("COUNT", word, count)
spark.stop()
`;
const TEXT = "to be or not to be\nthat is the question\n";

/** An application on the user's own disk, and the files that it reads. */
export const LOCAL_FILES: Readonly<Record<string, string>> = { "words.py": WORDS, "text.txt": TEXT, "data.csv": TEXT };

/** Test images contain only the Python examples of Spark. */
export const PI_IN_PYTHON: Readonly<Record<string, string>> = {
  "--class org.apache.spark.examples.SparkPi": "",
  "jars/spark-examples.jar": "src/main/python/pi.py",
};

export const IMAGE = "--conf spark.kubernetes.container.image=apache/spark:4.3.0";
const EXAMPLES = "local:///opt/spark/examples/src/main/python";
const UNTIL_LISTED = (words: string): string => `until kindling list | grep -q '${words}'; do sleep 0.5; done`;

const INSTALLED = { runBy: "tools/packages/packages.test.mjs", as: "installed alone into an empty project" } as const;

/** A package that exists only here, and an application that imports it in a task. */
const PACKAGE: Readonly<Record<string, string>> = {
  "app.py": `import greeting
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
print("IN A TASK:", spark.sparkContext.parallelize(["world"], 1).map(greeting.to).first())
spark.stop()
`,
  "requirements.txt": "./greeting-1.0-py3-none-any.whl\n",
  "make-wheel.py": `import zipfile

about = "greeting-1.0.dist-info"
with zipfile.ZipFile("greeting-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("greeting/__init__.py", "def to(name):\\n    return 'hello ' + name\\n")
    wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n")
    wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{about}/RECORD", "")
`,
};

/** The repository that `serve-chart.sh` serves. */
export const CHART: Readonly<Record<string, string>> = {
  "https://kindling-spark.github.io/kindling": "$CHART_REPOSITORY",
};

export const PAGES_OF_DOCS: Readonly<Record<string, PageRun>> = {
  "README.md": {
    bench: "cluster",
    rows: [
      { command: "kindling submit --name pi", with: { ...PI_IN_PYTHON, " 1000": " 4" }, prints: /Pi is roughly 3/ },
      { command: "npm run demo", runBy: "apps/integration/demo.js", as: "embeddedDemo" },
      { command: "npm test", runBy: ".ci/run", as: "npm test" },
      { command: "npm run build", runBy: "package.json", as: "turbo run build" },
      { command: "ln -s", with: { $PWD: "$REPOSITORY" } },
      { command: "kindling --help", prints: /^Usage: kindling COMMAND/m },
      { command: "eval", prints: /^$/ },
      {
        command: "npm install --global",
        runBy: "tools/packages/packages.test.mjs",
        as: "installed alone into an empty project",
      },
    ],
  },
  // Without the installation at the beginning of `npm run`: other suites use the installed packages.
  "CONTRIBUTING.md": {
    bench: "repository",
    rows: [
      { command: "npm run build", runBy: "package.json", as: "turbo run build" },
      { command: "npx vitest run --project steps", with: { steps: "outside" }, prints: /passed/ },
      {
        command: "npm run test -- packages/steps/test",
        with: { "npm run test -- packages/steps/test": "KINDLING_TEST_SOURCES=1 npx vitest run packages/outside/test" },
        prints: /passed/,
      },
      { command: "npm run check", runBy: "tools/test.mjs", as: "check.mjs" },
      { command: "npm run format", with: { "npm run format": "node_modules/.bin/oxfmt --check" } },
      { command: "KUBECONFIG=… npm run e2e", runBy: ".ci/run", as: "npm run e2e" },
      { command: "npm run e2e:embedded", runBy: ".ci/run", as: "npm run e2e:embedded" },
      {
        command: "npm run bench -- all",
        with: { "npm run bench -- all": "node benchmarks/run.mjs --list" },
        prints: /^startup/m,
      },
      {
        command: "SPARK_HOME=… npm run differential",
        with: { "SPARK_HOME=… npm run differential": "node apps/differential/dist/differential.js --help" },
        prints: /^Usage: npm run differential/m,
      },
      { command: "npm run changeset", with: { "npm run changeset": "node_modules/.bin/changeset --help" } },
      { command: "npm run release:dry-run", runBy: ".github/workflows/ci.yml", as: "npm run release:dry-run" },
      { command: "npm run version-packages", runBy: ".github/workflows/release.yml", as: "npm run version-packages" },
      { command: "npm run release ", runBy: ".github/workflows/release.yml", as: "npm run release" },
      { command: "npm run site", with: { "npm run site": "(cd apps/site && npm run site)" }, prints: /build complete/ },
    ],
  },
  // A benchmark takes minutes on an idle machine: here it only has to exist.
  "docs/benchmarks.md": {
    bench: "repository",
    rows: [
      { command: "npm run bench -- ", with: { "npm run bench --": "node benchmarks/run.mjs --list | grep -w --" } },
    ],
  },
  "docs/applications.md": {
    bench: "cluster",
    before: [
      `kindling submit --name nightly ${IMAGE} --executor-memory 900g --num-executors 2 --conf spark.kubernetes.executor.podNamePrefix=nightly-4ce811a20698998e ` +
        `--conf spark.kubernetes.submission.waitAppCompletion=false ${EXAMPLES}/pi.py`,
      `! kindling submit --name etl-py ${IMAGE} ${EXAMPLES}/pi.py nonsense`,
      UNTIL_LISTED("0/2 executors: Insufficient memory"),
    ],
    rows: [{ command: "kindling list" }, { command: "kindling status nightly" }],
  },
  "docs/cluster.md": {
    bench: "installed",
    files: LOCAL_FILES,
    before: [
      "kubectl delete serviceaccount spark",
      "kubectl create serviceaccount ops",
      "kubectl create clusterrolebinding $NAMESPACE --clusterrole cluster-admin --serviceaccount $NAMESPACE:ops",
    ],
    after: ["kubectl delete clusterrolebinding $NAMESPACE"],
    rows: [
      {
        command: "kubectl -n spark-jobs create serviceaccount",
        needs: ["kubectl"],
        with: { "spark-jobs": "$NAMESPACE" },
      },
      { command: "kindling rbac", needs: ["kubectl"], with: { "spark-jobs": "$NAMESPACE" }, prints: /created/ },
      {
        command: "kindling submit -n spark-jobs",
        needs: ["staging"],
        with: {
          "-n spark-jobs": `-n $NAMESPACE --files text.txt ${IMAGE}`,
          "my-app.jar": "words.py",
          "spark-jobs": "$NAMESPACE",
        },
      },
      { command: "kubectl proxy &", needs: ["kubectl"], with: { "proxy &": "proxy --port 18001 &" } },
      {
        command: "xdg-open http://127.0.0.1:8001/api/v1/namespaces/spark-system/services",
        needs: ["kubectl"],
        with: {
          "xdg-open": "curl --silent --fail --retry 20 --retry-connrefused",
          "8001/api/v1/namespaces/spark-system/services/http:kindling-gateway:8081/proxy/": "18001/version",
        },
      },
      {
        command: "KINDLING_STAGING_TOKEN=$(kubectl create token ops",
        needs: ["kubectl", "staging"],
        with: { "k8s+https://kindling/": "k8s+https://$NAMESPACE/" },
      },
    ],
  },
  // The chart is installed in its own suite, with images that were built for it.
  "docs/quick-start.md": {
    bench: "installed",
    files: { "words.py": exampleOf("docs/quick-start.md", "python") },
    before: [
      "if command -v helm >/dev/null; then source $REPOSITORY/apps/integration/docs-commands/serve-chart.sh; fi",
      // The page's first half does not use the cluster of its second half.
      "CLUSTER=$KUBECONFIG SITE=$KINDLING_SITE_CONFIG; unset KINDLING_STAGING_URI",
      "grep -E 'executor.instances|JavaOptions' $SITE > none.conf",
      "export KINDLING_SITE_CONFIG=$PWD/none.conf",
    ],
    rows: [
      { command: "npm install --global", ...INSTALLED },
      { command: "echo" },
      { command: "kindling dev run", needs: ["spark"] },
      { command: "kindling dev up", needs: ["spark"] },
      { command: 'eval "$(kindling dev env)"', needs: ["spark"] },
      { command: "kindling submit --name words", needs: ["spark"] },
      { command: "kindling list", needs: ["spark"] },
      { command: "kindling dev down", needs: ["spark"] },
      {
        command: 'eval "$(kindling dev env --unset)"',
        with: { '--unset)"': '--unset)"; export KUBECONFIG=$CLUSTER KINDLING_SITE_CONFIG=$SITE' },
      },
      { command: "helm repo add", needs: ["helm"], with: CHART },
      { command: "helm install", needs: ["helm"], with: { "helm install": "helm install --dry-run=client" } },
      {
        command: "kindling submit --namespace",
        needs: ["staging"],
        with: { "--namespace kindling": "--namespace $NAMESPACE" },
      },
    ],
  },
  "docs/from-spark-submit.md": {
    bench: "cluster",
    rows: [
      { command: "kindling submit --name pi", with: { ...PI_IN_PYTHON, " 100": " 4" } },
      { command: "kindling config --effective", prints: /spark\.executor\.memory/ },
      { command: "kindling submit --dry-run", prints: /^kind: Pod$/m },
      { command: "kindling submit --check" },
    ],
  },
  "docs/scheduler.md": {
    bench: "folder",
    files: LOCAL_FILES,
    rows: [
      { command: "kindling dev up --gateway", needs: ["spark"] },
      { command: "eval", needs: ["spark"] },
      { command: "kindling submit", needs: ["spark"], prints: /succeeded/ },
      { command: "kindling queue", needs: ["spark"], prints: /default/ },
      { command: "kindling dev down", needs: ["spark"] },
    ],
  },
  "docs/local-files.md": {
    bench: "installed",
    files: LOCAL_FILES,
    before: [`export DEFAULT_IMAGE="${IMAGE}"`],
    rows: [
      { command: "kindling submit", needs: ["staging"], with: { "kindling submit": "kindling submit $DEFAULT_IMAGE" } },
      { command: "kindling staging", needs: ["staging"] },
    ],
  },
  "docs/python-packages.md": {
    bench: "installed",
    files: PACKAGE,
    before: [`export DEFAULT_IMAGE="${IMAGE}"`, "python3 make-wheel.py"],
    rows: [
      {
        command: "kindling submit --logs --py-files",
        needs: ["staging"],
        with: { "kindling submit": "kindling submit $DEFAULT_IMAGE" },
        prints: /^IN A TASK: hello world$/m,
      },
      { command: "pip install", with: { "pip install": "python3 -m pip install" } },
      { command: "(cd deps" },
      // The environment uses this machine's Python, which the image of another cluster may not have.
      { command: "python3 -m venv", needs: ["spark"] },
      { command: "environment/bin/pip install", needs: ["spark"] },
      { command: "environment/bin/venv-pack", needs: ["spark"] },
      {
        command: "kindling submit --logs --archives",
        needs: ["spark"],
        // Its own cluster; its pods have this machine's Python.
        with: { "kindling submit": "kindling dev run --", "--archives": "--num-executors 1 --archives" },
        prints: /^IN A TASK: hello world$/m,
      },
      { command: "docker run", with: { "docker run": "true docker run" } },
      { command: "conda create", with: { "conda create": "true conda create" } },
      { command: "conda run", with: { "conda run": "true conda run" } },
    ],
  },
  "docs/doctor.md": {
    bench: "installed",
    rows: [
      {
        command: "kindling doctor -n spark-jobs",
        needs: ["staging", "no level"],
        with: { "spark-jobs": "$NAMESPACE" },
      },
      { command: "kindling doctor --no-pod", prints: /"check": "API server"/ },
    ],
  },
  "docs/dependencies.md": {
    bench: "cluster",
    files: LOCAL_FILES,
    rows: [
      { command: "kindling submit --check", needs: ["staging"], with: { "…": `${IMAGE} words.py` } },
      {
        command: "kindling submit --conf spark.kindling.staging.uri",
        needs: ["staging"],
        with: {
          "https://staging.example:10000": "$STAGING_URI",
          "http://staging.spark.svc:10000": "$STAGING_INTERNAL_URI",
          "kindling/localizer:0.1.0": "$LOCALIZER_IMAGE",
          "my-app.jar --files data.csv": "--files data.csv words.py data.csv",
        },
      },
      { command: "kindling staging ls", needs: ["staging"] },
    ],
  },
};
