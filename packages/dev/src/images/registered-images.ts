import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve as resolvePath } from "node:path";
import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { parse } from "yaml";
import { ImagePullError, type ProcessImage } from "@kindling/devcluster";
import type { DescribedImages } from "./described-images.ts";

/** An image that consists of a folder of this machine and a command. */
export interface RegisteredImage {
  /** A folder or a single file, relative to the folder of the file that registers it. */
  readonly folder: string;
  /** Its place in containers. Default: `/app`. */
  readonly at?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder where processes start. Default: the folder's place. */
  readonly workingDirectory?: string;
}

/** Images by their names, in which `*` stands for any characters. */
export type RegisteredImages = Readonly<Record<string, RegisteredImage>>;

const FIELDS: Readonly<Record<keyof RegisteredImage, "text" | "list" | "map">> = {
  folder: "text",
  at: "text",
  entrypoint: "list",
  command: "list",
  environment: "map",
  workingDirectory: "text",
};

/**
 * Images that a file registers, in JSON or YAML. The file is read whenever an image is asked for, so that changes count at
 * once; without the file there are no images.
 */
export function registeredImages(file: string): DescribedImages {
  return {
    async resolve(reference) {
      let images: RegisteredImages;
      try {
        images = await readImages(file);
      } catch (error) {
        throw new ImagePullError("ErrImagePull", messageOf(error));
      }
      const [, image] = Object.entries(images).find(([name]) => matches(name, reference)) ?? [];
      if (image === undefined) return undefined;
      if (!existsSync(image.folder)) {
        throw new ImagePullError(
          "ErrImagePull",
          `${reference}: ${file} says that it is ${image.folder}, which is not there`,
        );
      }
      return processImage(image);
    },
    async describe() {
      try {
        return Object.entries(await readImages(file)).map(([name, { folder }]) => `${name} (${folder})`);
      } catch (error) {
        return [messageOf(error)];
      }
    },
  };
}

function processImage({ folder, at = "/app", ...image }: RegisteredImage): ProcessImage {
  const { entrypoint = [], command = [], environment = {}, workingDirectory = at } = image;
  const parts = { folder, at, entrypoint, command, environment, workingDirectory };
  return {
    id: `sha256:${createHash("sha256").update(JSON.stringify(parts)).digest("hex")}`,
    mounts: [{ source: folder, target: at }],
    files: [],
    entrypoint,
    command,
    environment,
    workingDirectory,
    user: undefined,
  };
}

/**
 * Reads a file of images.
 *
 * @returns none if there is no such file
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`, which names the image and the field
 */
export async function readImages(file: string): Promise<RegisteredImages> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new KindlingError("FILE_UNREADABLE", `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  }
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    const [line] = messageOf(error).split("\n");
    throw new KindlingError("FILE_UNPARSABLE", `${file}: ${line}`, { cause: error });
  }
  if (document === null || document === undefined) return {};
  if (!isRecord(document)) throw fault(file, "it is no map of names to images");
  return Object.fromEntries(Object.entries(document).map(([name, image]) => [name, readImage(file, name, image)]));
}

function readImage(file: string, name: string, image: unknown): RegisteredImage {
  if (!isRecord(image)) throw fault(file, `${name} is no map`);
  for (const [field, value] of Object.entries(image)) {
    const kind = Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof RegisteredImage] : undefined;
    if (kind === undefined) throw fault(file, `${name} has a field ${field}, which means nothing`);
    if (!isOfKind(value, kind)) throw fault(file, `${field} of ${name} is no ${WORDS[kind]}`);
  }
  const { folder, at, workingDirectory, ...rest } = image as unknown as RegisteredImage;
  if (folder === undefined) throw fault(file, `${name} has no folder`);
  for (const path of [at, workingDirectory]) {
    if (path !== undefined && !isAbsolute(path)) throw fault(file, `${name}: ${path} is no absolute path`);
  }
  return {
    ...rest,
    folder: resolvePath(dirname(file), folder),
    ...(at !== undefined && { at }),
    ...(workingDirectory !== undefined && { workingDirectory }),
  };
}

const WORDS = { text: "text", list: "list of texts", map: "map of texts" };

function isOfKind(value: unknown, kind: "text" | "list" | "map"): boolean {
  const isText = (one: unknown): boolean => typeof one === "string";
  if (kind === "text") return isText(value) && value !== "";
  if (kind === "list") return Array.isArray(value) && value.every(isText);
  return isRecord(value) && Object.values(value).every(isText);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fault(file: string, what: string): KindlingError {
  return new KindlingError("FILE_UNPARSABLE", `${file}: ${what}`, {
    hint: 'write {"name:tag": {"folder": "/path", "at": "/app", "command": ["node", "main.js"]}}',
  });
}

function matches(name: string, reference: string): boolean {
  const pattern = name.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join(".*")}$`).test(reference);
}
