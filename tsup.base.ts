import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { Options } from "tsup";

/** An ES module per entry, without its dependencies; declarations come from `tsc -b`. */
export function library(entry: Record<string, string>): Options {
  return {
    entry,
    format: ["esm"],
    target: "node20",
    platform: "node",
    dts: false,
    sourcemap: true,
    // Otherwise a command that bundles a library would look for packages with the names of Node's own modules.
    removeNodeProtocol: false,
    // `tsc -b` relies on its build info in dist.
    clean: false,
  };
}

/** A part of a command that few users need, in a separate file beside it. */
interface Apart {
  /** The name in the code's import. */
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
export const KERBEROS: Apart = {
  name: "@kindling/kerberos",
  file: "kerberos",
  usedBy: "./packages/submit/package.json",
};

export const RECORDER: Apart = {
  name: "@kindling/recorder/server",
  file: "recorder",
  usedBy: "./packages/gateway/package.json",
};

/** Leaves these out of a command; when the command loads one of them, it loads the file beside it. */
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

/** The folder of the package of a file, if it has a name and a version. */
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

/** Writes a list of the packages inside of a command. */
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

/** If a file has a character outside of Latin-1, V8 keeps two bytes for each of its characters: it takes longer to start. */
const plainText: NonNullable<Options["plugins"]>[number] = {
  name: "plain-text",
  renderChunk(code) {
    const [found] = /[^\n]{0,40}[^\0-\xff][^\n]{0,20}/.exec(code) ?? [];
    if (found !== undefined) throw new Error(`write what is not Latin-1 as \\u….: ${found}`);
  },
};

/**
 * One minified CommonJS file with every dependency inside, so that a command starts fast. Rarely needed parts are beside it.
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
