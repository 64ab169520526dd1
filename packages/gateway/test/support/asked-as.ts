import { get } from "node:http";

/** The status of the answer to a request with this `Host`. */
export function askedAs(uri: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(uri, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once("error", reject);
  });
}
