// @ts-check
// The images, one row each. `node deploy/images/dockerfiles.mjs` writes their Dockerfiles from it, and build.mjs makes them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Image
 * @property {string} package folder below packages/
 * @property {string} title
 * @property {string} description
 * @property {readonly string[]} files of the package, by their paths in it; the image has them below /opt/kindling
 * @property {string} main the one that Node runs
 * @property {string} contents of the package: what is inside of the bundle, as the build has found
 * @property {readonly string[]} [nodeFlags]
 * @property {readonly string[]} [volumes] folders that outlive a container, owned by the image's user
 * @property {readonly number[]} [ports]
 * @property {readonly Command[]} [commands] other programs, which containers start by their names
 */

/**
 * @typedef {object} Command
 * @property {string} name on the PATH
 * @property {string} package folder below packages/
 * @property {string} file of the package that Node runs; the image has it below /opt/kindling
 * @property {string} contents of the package, as for the image
 */

/** @type {Readonly<Record<string, Image>>} */
export const IMAGES = {
  localizer: {
    package: "localizer",
    title: "Kindling localizer",
    description: "The init container that brings staged and remote files into a Spark pod",
    files: ["dist/localizer.cjs", "dist/socks.cjs"],
    main: "dist/localizer.cjs",
    contents: "dist/localizer.packages.json",
    // It holds no file in memory; its memory is taken from the node of each pod.
    nodeFlags: ["--max-old-space-size=64"],
    // Executors' pods have this image already, so a second container of theirs needs no other.
    commands: [
      {
        name: "kindling-shuffle-server",
        package: "shuffle-server",
        file: "dist/kindling-shuffle-server.cjs",
        contents: "dist/kindling-shuffle-server.packages.json",
      },
      {
        name: "kindling-event-log-shipper",
        package: "event-log-shipper",
        file: "dist/kindling-event-log-shipper.cjs",
        contents: "dist/kindling-event-log-shipper.packages.json",
      },
      {
        name: "kindling-event-log-mirror",
        package: "event-log-shipper",
        file: "dist/kindling-event-log-mirror.cjs",
        contents: "dist/kindling-event-log-mirror.packages.json",
      },
    ],
  },
  "staging-server": {
    package: "staging-server",
    title: "Kindling staging server",
    description: "Holds the files of Spark applications until their pods are gone",
    files: ["dist/kindling-staging-server.cjs", "dist/socks.cjs"],
    main: "dist/kindling-staging-server.cjs",
    contents: "dist/kindling-staging-server.packages.json",
    volumes: ["/var/lib/kindling-staging"],
    ports: [10_000, 10_001],
  },
  gateway: {
    package: "gateway",
    title: "Kindling gateway",
    description: "The service that Spark drivers talk to in the API server's place: it decides when executors are made",
    files: [
      "dist/kindling-gateway.cjs",
      "dist/recorder.cjs",
      "dist/kerberos.cjs",
      "dist/socks.cjs",
      "dist/spark-keys.cjs",
    ],
    main: "dist/kindling-gateway.cjs",
    contents: "dist/kindling-gateway.packages.json",
    ports: [8443, 8081],
  },
  "submission-server": {
    package: "submission-server",
    title: "Kindling submission server",
    description:
      "Submits Spark applications for others, over HTTP, also as the REST submitter of the kubeflow operator",
    files: ["dist/kindling-serve.cjs", "dist/kerberos.cjs", "dist/socks.cjs", "dist/spark-keys.cjs"],
    main: "dist/kindling-serve.cjs",
    contents: "dist/kindling-serve.packages.json",
    ports: [8080, 8081],
  },
  recorder: {
    package: "recorder",
    title: "Kindling recorder",
    description: "Keeps what Spark applications said, did and cost when their pods are gone",
    files: ["dist/kindling-recorder.cjs", "dist/kerberos.cjs", "dist/socks.cjs", "dist/spark-keys.cjs"],
    main: "dist/kindling-recorder.cjs",
    contents: "dist/kindling-recorder.packages.json",
    // Lines of logs are garbage at once: these flags collect it early. A thousand applications then need 50 MiB less.
    nodeFlags: ["--max-semi-space-size=2", "--optimize-for-size"],
    volumes: ["/var/lib/kindling-recorder"],
    ports: [8080, 8081],
  },
  connect: {
    package: "connect",
    title: "Kindling connect",
    description: "Serves Spark Connect at one address, with a driver for each user's sessions",
    files: ["dist/kindling-connect.cjs", "dist/kerberos.cjs", "dist/socks.cjs", "dist/spark-keys.cjs"],
    main: "dist/kindling-connect.cjs",
    contents: "dist/kindling-connect.packages.json",
    ports: [15_002, 8081],
  },
  operator: {
    package: "operator",
    title: "Kindling operator",
    description:
      "Runs the SparkApplication, ScheduledSparkApplication and SparkConnect objects of the kubeflow operator",
    files: ["dist/kindling-operator.cjs", "dist/kerberos.cjs", "dist/socks.cjs", "dist/spark-keys.cjs"],
    main: "dist/kindling-operator.cjs",
    contents: "dist/kindling-operator.packages.json",
    // A thousand submissions leave much garbage: these flags collect it early, also on a node with so much memory that V8
    // would let the heap grow for hours.
    nodeFlags: ["--max-semi-space-size=2", "--optimize-for-size"],
    ports: [8080, 8081],
  },
  cli: {
    package: "submit-cli",
    title: "Kindling command",
    description: "kindling: spark-submit for Kubernetes without a JVM",
    files: [
      "bin/kindling.js",
      "bin/package.json",
      "bin/run-compiled.js",
      "dist/kindling.cjs",
      "dist/kindling-app.cjs",
      "dist/socks.cjs",
      "dist/kerberos.cjs",
      "dist/spark-keys.cjs",
    ],
    main: "bin/kindling.js",
    contents: "dist/kindling.packages.json",
  },
};

/** The Node of the images: the newest long-term line on which all tests ran (docs/compatibility.md). */
export const NODE_LINE = "24";

/** The repository's address, as its manifest has it. */
export const SOURCE = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  .repository.url.replace(/^git\+/, "")
  .replace(/\.git$/, "");

/** The folder of the package's files in the images. */
export const HOME = "/opt/kindling";

/** The user of all images: it exists on no machine, and is none of Spark's. */
export const USER = 65_532;

/** @param {Image} image the command that a container runs */
export function entrypoint({ nodeFlags = [], main }) {
  return ["/usr/local/bin/node", ...nodeFlags, `${HOME}/${main}`];
}

/**
 * The files on the PATH that start an image's commands. The image has no shell, so the system itself finds Node in the first
 * line.
 *
 * @param {Image} image
 */
export function starters({ commands = [] }) {
  return commands.map(({ name, file }) => ({
    path: `usr/local/bin/${name}`,
    text: `#!/usr/local/bin/node\nrequire("${HOME}/${file}");\n`,
  }));
}

/**
 * The files of an image that packages have built, by their paths below packages/, with their paths in the image.
 *
 * @param {Image} image
 */
export function builtFiles({ package: owner, files, commands = [] }) {
  return [
    ...files.map((file) => ({ from: `${owner}/${file}`, to: `${HOME}/${file}` })),
    ...commands.map(({ package: other, file }) => ({ from: `${other}/${file}`, to: `${HOME}/${file}` })),
  ];
}

/**
 * The packages inside of an image's files, as the bundler found them, each once.
 *
 * @param {Image} image
 * @param {string} packages the folder
 * @returns {{ name: string, version: string, license?: string }[]}
 */
export function bundledPackages({ package: owner, contents, commands = [] }, packages) {
  const lists = [{ package: owner, contents }, ...commands];
  const all = lists.flatMap((list) => JSON.parse(readFileSync(join(packages, list.package, list.contents), "utf8")));
  return [...new Map(all.map((one) => [`${one.name}@${one.version}`, one])).values()];
}

/**
 * The labels of an image, with the names of the OCI image specification.
 *
 * @param {Image} image
 * @param {{ version: string, revision: string, source: string }} origin
 * @returns {Record<string, string>}
 */
export function labels({ title, description }, { version, revision, source }) {
  const all = { description, licenses: "Apache-2.0", revision, source, title, version };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`org.opencontainers.image.${name}`, value]));
}
