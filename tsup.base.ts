import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Options } from "tsup";

/** An ES module per entry, dependencies left outside; declarations come from `tsc -b`. */
export function library(entry: Record<string, string>): Options {
  return {
    entry,
    format: ["esm"],
    target: "node20",
    platform: "node",
    dts: false,
    sourcemap: true,
    // A command that takes a library in would look for packages of the names of Node's own modules.
    removeNodeProtocol: false,
    // `tsc -b` trusts the build info that it keeps in dist.
    clean: false,
  };
}

/** What few users of a command need, in a file of its own beside it. */
interface Apart {
  /** As the code imports it. */
  readonly name: string;
  readonly file: string;
  /** The package that imports it. */
  readonly usedBy: string;
}

const SOCKS: Apart = { name: "socks", file: "socks", usedBy: "./packages/http/package.json" };
export const SPARK_KEYS: Apart = {
  name: "@kindling/steps/spark-keys",
  file: "spark-keys",
  usedBy: "./packages/submit/package.json",
};

/** Leaves these out of a command; where it loads one of them, it loads the file beside it. */
function leaveApart(all: readonly Apart[]): NonNullable<Options["esbuildPlugins"]>[number] {
  const files = new Map(all.map(({ name, file }) => [name, file]));
  return {
    name: "leave-apart",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^(${[...files.keys()].join("|")})$`) }, ({ path, kind }) =>
        kind === "entry-point" ? undefined : { path, namespace: "apart" },
      );
      build.onLoad({ filter: /.*/, namespace: "apart" }, ({ path }) => ({
        contents: `module.exports = require("./${files.get(path) ?? path}.cjs")`,
      }));
      build.onResolve({ filter: /.*/, namespace: "apart" }, ({ path }) => ({ path, external: true }));
    },
  };
}

/** The folder of the package that a file belongs to, where it has a name and a version. */
function packageOf(file: string): Bundled | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8")) as Partial<Bundled>;
    if (name !== undefined && version !== undefined)
      return { name, version, ...(license !== undefined && { license }) };
  }
  return undefined;
}

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Writes which packages are inside of a command, for whoever has to know what it is made of. */
function listPackages(command: string): NonNullable<Options["esbuildPlugins"]>[number] {
  return {
    name: "list-packages",
    setup(build) {
      build.onEnd(({ metafile }) => {
        const files = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs));
        const found = files.flatMap((file) => packageOf(resolve(file)) ?? []);
        const packages = new Map(found.map((one) => [`${one.name}@${one.version}`, one] as const));
        const sorted = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
        const folder = resolve(build.initialOptions.outdir ?? "dist");
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${command}.packages.json`), `${JSON.stringify(sorted, undefined, 2)}\n`);
      });
    },
  };
}

/** V8 keeps a file with one character outside of Latin-1 as two bytes for each: it takes longer to start. */
const plainText: NonNullable<Options["plugins"]>[number] = {
  name: "plain-text",
  renderChunk(code) {
    const [found] = /[^\n]{0,40}[^\0-\xff][^\n]{0,20}/.exec(code) ?? [];
    if (found !== undefined) throw new Error(`write what is not Latin-1 as \\u….: ${found}`);
  },
};

/**
 * One minified CommonJS file with every dependency inside: what a command needs to start fast. What it seldom needs is
 * beside it.
 */
export function command(entry: Record<string, string>, more: readonly Apart[] = []): Options {
  const apart = [SOCKS, ...more];
  const files = apart.map(({ name, file, usedBy }) => {
    const require = createRequire(new URL(usedBy, import.meta.url));
    return [file, require.resolve(name)] as const;
  });
  return {
    entry: { ...entry, ...Object.fromEntries(files) },
    esbuildPlugins: [leaveApart(apart), listPackages(Object.keys(entry).join("-"))],
    format: ["cjs"],
    outExtension: () => ({ js: ".cjs" }),
    target: "node20",
    platform: "node",
    dts: false,
    sourcemap: false,
    splitting: false,
    minify: true,
    noExternal: [/.*/],
    plugins: [plainText],
    clean: false,
  };
}
