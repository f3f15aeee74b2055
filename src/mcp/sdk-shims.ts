// Stands in the binary for the SDK's own shims, which would load a whole JSON Schema validator at every start. The SDK
// uses it only on answers to forms, and ours have no fields: any answer fits. A form with fields would need the real one.
export class DefaultJsonSchemaValidator {
  getValidator(schema: object) {
    if (!isEmptyForm(schema)) throw new Error('bearings has no validator for a form with fields: see sdk-shims.ts');
    return (input: unknown) => ({ valid: true as const, data: input, errorMessage: undefined });
  }
}

/** The only kind of form that this binary asks with: the yes itself is all that is asked. */
export type EmptyForm = {
  type: 'object';
  properties: Record<string, never>;
};

function isEmptyForm(schema: object): schema is EmptyForm {
  const { type, properties, ...others } = schema as Record<string, unknown>;
  const isEmpty = typeof properties === 'object' && properties !== null && Object.keys(properties).length === 0;
  return type === 'object' && isEmpty && Object.keys(others).length === 0;
}

export { default as process } from 'node:process';
