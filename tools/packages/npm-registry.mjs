// A registry of npm's on this machine, for tests: it has the packages that it is given, and takes those that are published.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { execFileSync } from "node:child_process";

/**
 * @param {readonly string[]} tarballs packages to begin with, as `npm pack` makes them
 * @returns its URI, and how to end it
 */
export async function startRegistry(tarballs) {
  const packages = new Map();
  const add = (manifest, bytes) => packages.set(manifest.name, { manifest, bytes });
  for (const file of tarballs) {
    const text = execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" });
    add(JSON.parse(text), readFileSync(file));
  }
  let uri = "";
  const packument = ({ manifest, bytes }) => {
    const { name, version } = manifest;
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const dist = { tarball: `${uri}${name}/-/${version}.tgz`, integrity };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  };
  const answer = async (request, response) => {
    const [name = "", file] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    if (request.method === "PUT") {
      const { versions, _attachments: attachments } = JSON.parse(await textOf(request));
      const [[manifest], [{ data }]] = [Object.values(versions), Object.values(attachments)];
      add(manifest, Buffer.from(data, "base64"));
      response.writeHead(201).end("{}");
      return;
    }
    const found = packages.get(name);
    if (found === undefined) response.writeHead(404).end("{}");
    else if (file === undefined) response.end(JSON.stringify(packument(found)));
    else response.end(found.bytes);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  uri = `http://127.0.0.1:${server.address().port}/`;
  return { uri, published: (name) => packages.get(name)?.manifest, stop: () => server.close() };
}

async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
