// @ts-check
// The public API of each published package, in one file for each entry: packages/*/api/*.api.md. So a review shows each change
// of it. `npm run api` writes the files; with `--check` it lists the files that are out of date.
//
// The reports are made from the declarations in dist, so build first.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { publishedPackages } from "./manifests.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SILENT = { default: { logLevel: ExtractorLogLevel.None } };

/** @typedef {{ folder: string, declarations: string, report: string }} Entry */
/** @typedef {{ report: string, change: string }} Change */

/**
 * Writes the reports of all packages, or compares them with the existing ones.
 *
 * @param {string} root the repository
 * @param {{ write: boolean }} options whether changed reports are written
 * @returns {Change[]} the path and the difference of each report that is out of date
 */
export function apiReports(root, { write }) {
  const entries = publishedPackages(root).flatMap(({ folder, manifest }) => entriesOf(root, folder, manifest));
  const work = mkdtempSync(join(tmpdir(), "kindling-api-"));
  try {
    const configs = entries.map((entry) => ({ ...entry, config: configOf(root, entry, entries, work) }));
    const [first] = configs;
    // All entries share one program, because most of their declarations are the same.
    const compilerState = first === undefined ? undefined : CompilerState.create(first.config);
    const changed = configs.flatMap(({ config, report }) => {
      mkdirSync(config.reportFolder, { recursive: true });
      const { apiReportChanged } = Extractor.invoke(config, {
        localBuild: write,
        ...(compilerState !== undefined && { compilerState }),
        messageCallback: (message) => (message.handled = true),
      });
      return apiReportChanged
        ? [{ report, change: write ? "" : difference(root, report, config.reportTempFilePath) }]
        : [];
    });
    return [...changed, ...leftOvers(root, entries, write)];
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * @param {string} root
 * @param {string} folder of the package, relative to `root`
 * @param {import("./manifests.mjs").Manifest} manifest
 * @returns {Entry[]}
 */
function entriesOf(root, folder, { exports = {} }) {
  return Object.entries(exports).flatMap(([entry, targets]) => {
    if (typeof targets === "string" || targets.types === undefined) return [];
    const name = entry === "." ? "index" : entry.slice(2).replaceAll("/", "-");
    return [{ folder, declarations: join(root, folder, targets.types), report: `${folder}/api/${name}.api.md` }];
  });
}

/**
 * @param {string} root
 * @param {Entry} entry
 * @param {readonly Entry[]} entries all entries
 * @param {string} work a folder for the current reports
 */
function configOf(root, { folder, declarations, report }, entries, work) {
  const compilerOptions = {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules", "@types")],
  };
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(root, folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: join(root, folder),
      mainEntryPointFilePath: declarations,
      newlineKind: "lf",
      compiler: { overrideTsconfig: { compilerOptions, files: entries.map((entry) => entry.declarations) } },
      apiReport: {
        enabled: true,
        reportFileName: basename(report),
        reportFolder: join(root, folder, "api"),
        reportTempFolder: join(work, folder),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: SILENT,
        extractorMessageReporting: SILENT,
        tsdocMessageReporting: SILENT,
      },
    },
  });
}

/**
 * @param {string} root
 * @param {string} report
 * @param {string} actual a file with the report as it should be
 */
function difference(root, report, actual) {
  const expected = existsSync(join(root, report)) ? join(root, report) : "/dev/null";
  const options = ["diff", "--no-index", "--no-color", "--unified=0", "--", expected, actual];
  const { stdout } = spawnSync("git", options, { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => /^[+-](?![+-]{2} )/.test(line))
    .join("\n");
}

/**
 * Reports of entries that no longer exist.
 *
 * @param {string} root
 * @param {readonly Entry[]} entries
 * @param {boolean} write whether they are removed
 */
function leftOvers(root, entries, write) {
  const expected = new Set(entries.map(({ report }) => report));
  return [...new Set(entries.map(({ folder }) => `${folder}/api`))]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((report) => !expected.has(report))
    .map((report) => {
      if (write) rmSync(join(root, report));
      return { report, change: "its entry is no more" };
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const write = !process.argv.includes("--check");
  const changed = apiReports(ROOT, { write });
  for (const { report, change } of changed) process.stdout.write(`${report}\n${change === "" ? "" : `${change}\n`}`);
  if (!write && changed.length > 0) {
    process.stdout.write("What packages promise has changed: run npm run api, and look at the difference.\n");
    process.exitCode = 1;
  }
}
