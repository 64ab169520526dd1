/**
 * A token file as Hadoop 3.4.1 writes it (`Credentials.writeTokenStorageFile`): tokens for the HDFS `ns1`, for WebHDFS at
 * `127.0.0.1:9870` and for Hive, and a secret key.
 */
export const TOKEN_FILE: Buffer = Buffer.from(
  "SERUUwADAWIDaWQyDHBhc3N3b3JkLXR3bxJXRUJIREZTIGRlbGVnYXRpb24OMTI3LjAuMC4xOjk4NzALaGEtaGRmczpuczGPyAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9AQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVpbXF1eX2BhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5/gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp+goaKjpKWmp6ipqqusra6vsLGys7S1tre4ubq7vL2+v8DBwsPExcbHE3Bhc3N3b3JkLW9uZS0wMDAwMDAVSERGU19ERUxFR0FUSU9OX1RPS0VOC2hhLWhkZnM6bnMxBGhpdmUDaWQzBGhpdmUVSElWRV9ERUxFR0FUSU9OX1RPS0VOAAEBawF2",
  "base64",
);

/** The result of Hadoop's `Token.encodeToUrlString` for the WebHDFS token. */
export const WEBHDFS_TOKEN = "A2lkMgxwYXNzd29yZC10d28SV0VCSERGUyBkZWxlZ2F0aW9uDjEyNy4wLjAuMTo5ODcw";

/** The result for the token of `ns1`. */
export const NS1_TOKEN =
  "j8gAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4_QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1-f4CBgoOEhYaHiImKi4yNjo-QkZKTlJWWl5iZmpucnZ6foKGio6SlpqeoqaqrrK2ur7CxsrO0tba3uLm6u7y9vr_AwcLDxMXGxxNwYXNzd29yZC1vbmUtMDAwMDAwFUhERlNfREVMRUdBVElPTl9UT0tFTgtoYS1oZGZzOm5zMQ";
