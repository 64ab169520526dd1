// @ts-check
// Writes the images' Dockerfiles, and the list of files for `docker build`, from the table of images.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { builtFiles, entrypoint, IMAGES, labels, NODE_LINE, SOURCE, starters, USER } from "./images.mjs";

const repository = new URL("../../", import.meta.url);
const ROOT_SCRIPTS = ["deploy/images/root.mjs", "deploy/images/elf.mjs"];
const WRITTEN = "# Written by deploy/images/dockerfiles.mjs from the table in images.mjs.";

/** @param {import("./images.mjs").Image} image */
function copies(image) {
  const all = builtFiles(image);
  const folders = [...new Set(all.map(({ to }) => dirname(to)))];
  const built = folders.map((folder) => {
    const files = all.filter(({ to }) => dirname(to) === folder);
    return `COPY ${files.map(({ from }) => `packages/${from}`).join(" ")} ${folder}/\n`;
  });
  return starters(image).length === 0 ? built : [...built, "COPY --from=root /commands /\n"];
}

/** Makes the files that start commands, apart from what all images have in common. @param {import("./images.mjs").Image} image */
function makeStarters(image) {
  return starters(image)
    .map(({ path, text }) => {
      const file = `/commands/${path}`;
      const quoted = text.replaceAll("\n", "\\n");
      return `RUN mkdir -p ${dirname(file)} && printf '${quoted}' > ${file} && chmod 755 ${file}\n`;
    })
    .join("");
}

/** @param {string} name @param {import("./images.mjs").Image} image */
function dockerfile(name, image) {
  const { volumes = [], ports = [] } = image;
  // The engine fills these in.
  const written = labels(image, { version: "${VERSION}", revision: "${REVISION}", source: "${SOURCE}" });
  const lines = Object.entries(written).map(([label, value]) => `      ${label}=${JSON.stringify(value)}`);
  return `${WRITTEN}
#
# After \`npm run build\`, in the repository's root:
#   docker build -f deploy/images/${name}/Dockerfile --build-arg VERSION=0.1.0 -t kindling/${name}:0.1.0 .
ARG NODE_IMAGE=node:${NODE_LINE}-bookworm-slim

FROM \${NODE_IMAGE} AS root
COPY ${ROOT_SCRIPTS.join(" ")} /build/
RUN node /build/root.mjs /image && mkdir -m 1777 /image/tmp${volumes.length > 0 ? " && mkdir -m 700 /volume" : ""}
${makeStarters(image)}
FROM scratch
ARG VERSION
ARG REVISION
ARG SOURCE=${SOURCE}
COPY --from=root /image /
${copies(image).join("")}${volumes.map((path) => `COPY --from=root --chown=${USER}:${USER} /volume ${path}\n`).join("")}ENV PATH=/usr/local/bin
LABEL ${lines.join(" \\\n").trimStart()}
${ports.length > 0 ? `EXPOSE ${ports.join(" ")}\n` : ""}USER ${USER}:${USER}
WORKDIR /
${volumes.length > 0 ? `VOLUME ${JSON.stringify(volumes)}\n` : ""}ENTRYPOINT ${JSON.stringify(entrypoint(image))}
`;
}

/** All files to write: texts by their paths in the repository. */
export function dockerFiles() {
  const files = Object.values(IMAGES).flatMap((image) => builtFiles(image).map(({ from }) => `packages/${from}`));
  return {
    ...Object.fromEntries(
      Object.entries(IMAGES).map(([name, image]) => [`deploy/images/${name}/Dockerfile`, dockerfile(name, image)]),
    ),
    ".dockerignore": `${WRITTEN}\n*\n${[...ROOT_SCRIPTS, ...files].map((file) => `!${file}\n`).join("")}`,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, text] of Object.entries(dockerFiles())) {
    const file = fileURLToPath(new URL(path, repository));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
