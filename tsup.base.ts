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

/** One minified CommonJS file with every dependency inside: what a command needs to start fast. */
export function command(entry: Record<string, string>, external: readonly string[] = []): Options {
  return {
    entry,
    format: ["cjs"],
    outExtension: () => ({ js: ".cjs" }),
    target: "node20",
    platform: "node",
    dts: false,
    sourcemap: false,
    splitting: false,
    minify: true,
    noExternal: [/.*/],
    external: [...external],
    clean: false,
  };
}
