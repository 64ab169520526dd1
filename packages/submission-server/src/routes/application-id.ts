/** The path parameter that names an application. */
export const ID_PARAMS: object = {
  type: "object",
  required: ["id"],
  properties: {
    id: {
      type: "string",
      minLength: 1,
      maxLength: 320,
      description:
        "NAMESPACE:DRIVER-POD; or, with the namespace before it or beside it, a submission id or an application id",
    },
  },
};

export interface IdParams {
  readonly id: string;
}
