/** Custom resource definitions, in the notation of `parse-schema.ts`. */
export const customResourceDefinitionTypes = `
package io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1
CustomResourceDefinition
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec!: CustomResourceDefinitionSpec
  status?: CustomResourceDefinitionStatus
CustomResourceDefinitionSpec
  group!: string
  names!: CustomResourceDefinitionNames
  scope!: string
  versions!: []CustomResourceDefinitionVersion @atomic
  conversion?: *CustomResourceConversion
  preserveUnknownFields?: bool
CustomResourceDefinitionNames
  plural!: string
  singular?: string
  shortNames?: []string @atomic
  kind!: string
  listKind?: string
  categories?: []string @atomic
CustomResourceDefinitionVersion
  name!: string
  served!: bool
  storage!: bool
  deprecated?: bool
  deprecationWarning?: *string
  schema?: *CustomResourceValidation
  subresources?: *CustomResourceSubresources
  additionalPrinterColumns?: []CustomResourceColumnDefinition @atomic
  selectableFields?: []SelectableField @atomic
CustomResourceValidation
  openAPIV3Schema?: *JSONSchemaProps
JSONSchemaProps
  id?: string
  $schema?: string
  $ref?: *string
  description?: string
  type?: string
  format?: string
  title?: string
  default?: *any
  maximum?: *float64
  exclusiveMaximum?: bool
  minimum?: *float64
  exclusiveMinimum?: bool
  maxLength?: *int64
  minLength?: *int64
  pattern?: string
  maxItems?: *int64
  minItems?: *int64
  uniqueItems?: bool
  multipleOf?: *float64
  enum?: []any @atomic
  maxProperties?: *int64
  minProperties?: *int64
  required?: []string @atomic
  items?: *JSONSchemaProps|[]
  allOf?: []JSONSchemaProps @atomic
  oneOf?: []JSONSchemaProps @atomic
  anyOf?: []JSONSchemaProps @atomic
  not?: *JSONSchemaProps
  properties?: {}JSONSchemaProps
  additionalProperties?: *JSONSchemaProps|bool
  patternProperties?: {}JSONSchemaProps
  dependencies?: {}JSONSchemaProps|[]string
  additionalItems?: *JSONSchemaProps|bool
  definitions?: {}JSONSchemaProps
  externalDocs?: *ExternalDocumentation
  example?: *any
  nullable?: bool
  x-kubernetes-preserve-unknown-fields?: *bool
  x-kubernetes-embedded-resource?: bool
  x-kubernetes-int-or-string?: bool
  x-kubernetes-list-map-keys?: []string @atomic
  x-kubernetes-list-type?: *string
  x-kubernetes-map-type?: *string
  x-kubernetes-validations?: []ValidationRule @map(rule) ^rule
ExternalDocumentation
  description?: string
  url?: string
ValidationRule
  rule!: string
  message?: string
  messageExpression?: string
  reason?: *string
  fieldPath?: string
  optionalOldSelf?: *bool
CustomResourceSubresources
  status?: *CustomResourceSubresourceStatus
  scale?: *CustomResourceSubresourceScale
CustomResourceSubresourceStatus
CustomResourceSubresourceScale
  specReplicasPath!: string
  statusReplicasPath!: string
  labelSelectorPath?: *string
CustomResourceColumnDefinition
  name!: string
  type!: string
  format?: string
  description?: string
  priority?: int32
  jsonPath!: string
SelectableField
  jsonPath!: string
CustomResourceConversion
  strategy!: string
  webhook?: *WebhookConversion
WebhookConversion
  clientConfig?: *WebhookClientConfig
  conversionReviewVersions!: []string @atomic
WebhookClientConfig
  url?: *string
  service?: *ServiceReference
  caBundle?: bytes
ServiceReference
  namespace!: string
  name!: string
  path?: *string
  port?: *int32
CustomResourceDefinitionStatus
  conditions: []CustomResourceDefinitionCondition @map(type)
  acceptedNames: CustomResourceDefinitionNames
  storedVersions: []string @atomic
CustomResourceDefinitionCondition
  type!: string
  status!: string
  lastTransitionTime?: Time
  reason?: string
  message?: string
`;
