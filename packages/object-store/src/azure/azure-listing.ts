import type { BucketObject, ObjectBucket } from "../object-bucket.ts";
import { elements, textOf } from "../xml.ts";
import type { AzureRequests } from "./azure-request.ts";

/** The listings of a container ("List Blobs"), page after page. */
export function azureListing(requests: AzureRequests): Pick<ObjectBucket, "list" | "folders" | "probe"> {
  const listing = { restype: "container", comp: "list" };

  async function* pages(query: Readonly<Record<string, string>>): AsyncGenerator<string, void> {
    let marker = "";
    do {
      const more = marker === "" ? {} : { marker };
      const { text } = await requests.send({ method: "GET", key: "", query: { ...listing, ...query, ...more } });
      yield text;
      marker = textOf(text, "NextMarker") ?? "";
    } while (marker !== "");
  }

  return {
    async *list(prefix) {
      for await (const xml of pages({ prefix })) {
        for (const blob of elements(xml, "Blob")) {
          const object = objectOf(blob);
          if (object !== undefined) yield object;
        }
      }
    },
    async folders(prefix) {
      const names: string[] = [];
      for await (const xml of pages({ prefix, delimiter: "/" })) {
        for (const folder of elements(xml, "BlobPrefix")) {
          names.push((textOf(folder, "Name") ?? "").slice(prefix.length).replace(/\/$/, ""));
        }
      }
      return names;
    },
    async probe(prefix) {
      await requests.send({ method: "GET", key: "", query: { ...listing, prefix, maxresults: "1" } });
    },
  };
}

/** @returns `undefined` for a directory of a hierarchical namespace */
function objectOf(blob: string): BucketObject | undefined {
  if (textOf(blob, "ResourceType") === "directory") return undefined;
  return {
    key: textOf(blob, "Name") ?? "",
    size: Number(textOf(blob, "Content-Length") ?? "0"),
    version: versionOf(textOf(blob, "Etag")),
    modified: Date.parse(textOf(blob, "Last-Modified") ?? ""),
  };
}

/** Listings have entity tags without quotes. */
export function versionOf(etag: string | undefined): string {
  return (etag ?? "").replaceAll('"', "");
}
