import { KindlingError } from "../errors.ts";
import type { LocalFiles } from "../submission.ts";

/** A disk with only these texts, by absolute path. YAML is read as JSON, so write it as JSON. */
export function memoryFiles(contents: Readonly<Record<string, string>>): LocalFiles {
  const read = (path: string): string => {
    const text = contents[path];
    if (text === undefined) throw new KindlingError("FILE_UNREADABLE", `${path} cannot be read: it does not exist`);
    return text;
  };
  return {
    absolute: (path) => path,
    isFile: (path) => contents[path] !== undefined,
    size: (path) => new TextEncoder().encode(contents[path] ?? "").length,
    readBytes: (path) => new TextEncoder().encode(read(path)),
    readText: read,
    readYaml: (path) => JSON.parse(read(path)),
    listFiles(path) {
      const names = Object.keys(contents)
        .filter((file) => file.startsWith(`${path}/`))
        .map((file) => file.slice(path.length + 1))
        .filter((name) => !name.includes("/"));
      if (names.length === 0) return undefined;
      return names.sort().map((name) => ({ name, path: `${path}/${name}`, size: read(`${path}/${name}`).length }));
    },
  };
}
