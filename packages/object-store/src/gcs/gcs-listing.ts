import { membersOf, recordOf } from "../credentials/bearer-token.ts";
import type { BucketObject, ObjectBucket } from "../object-bucket.ts";
import type { GcsRequests } from "./gcs-request.ts";

type Members = Readonly<Record<string, unknown>>;

/** The listings of a bucket (`objects.list`), page after page. */
export function gcsListing(requests: GcsRequests, path: string): Pick<ObjectBucket, "list" | "folders" | "probe"> {
  async function* pages(query: Readonly<Record<string, string>>): AsyncGenerator<Members, void> {
    let pageToken: unknown = "";
    do {
      const more = typeof pageToken === "string" && pageToken !== "" ? { pageToken } : {};
      const { text } = await requests.send({ method: "GET", path, key: "", query: { ...query, ...more } });
      const page = membersOf(text);
      yield page;
      pageToken = page["nextPageToken"];
    } while (typeof pageToken === "string" && pageToken !== "");
  }

  return {
    async *list(prefix) {
      const fields = "items(name,size,generation,updated),nextPageToken";
      for await (const page of pages({ prefix, fields })) {
        for (const item of listOf(page["items"])) yield objectOf(recordOf(item));
      }
    },
    async folders(prefix) {
      const names: string[] = [];
      for await (const page of pages({ prefix, delimiter: "/", fields: "prefixes,nextPageToken" })) {
        for (const each of listOf(page["prefixes"])) names.push(String(each).slice(prefix.length).replace(/\/$/, ""));
      }
      return names;
    },
    async probe(prefix) {
      const query = { prefix, maxResults: "1", fields: "nextPageToken" };
      await requests.send({ method: "GET", path, key: "", query });
    },
  };
}

function objectOf(item: Members): BucketObject {
  const { name, size, generation, updated } = item;
  return {
    key: String(name),
    size: Number(size),
    version: String(generation),
    modified: Date.parse(String(updated)),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
