import { createRequire } from "node:module";
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

/** What few users of a command need, each in a file of its own beside it: by package name, the package that uses it. */
const APART: Readonly<Record<string, string>> = { socks: "./packages/http/package.json" };

/** Leaves these out of a command; where it loads one of them, it loads the file beside it. */
const leaveApart: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "leave-apart",
  setup(build) {
    const names = new RegExp(`^(${Object.keys(APART).join("|")})$`);
    build.onResolve({ filter: names }, ({ path }) => ({ path, namespace: "apart" }));
    build.onLoad({ filter: /.*/, namespace: "apart" }, ({ path }) => ({
      contents: `module.exports = require("./${path}.cjs")`,
    }));
    build.onResolve({ filter: /.*/, namespace: "apart" }, ({ path }) => ({ path, external: true }));
  },
};

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
export function command(entry: Record<string, string>, external: readonly string[] = []): Options {
  const apart = Object.entries(APART).map(([name, user]) => {
    const require = createRequire(new URL(user, import.meta.url));
    return [name, require.resolve(name)] as const;
  });
  return {
    entry: { ...entry, ...Object.fromEntries(apart) },
    esbuildPlugins: [leaveApart],
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
    external: [...external],
    clean: false,
  };
}
