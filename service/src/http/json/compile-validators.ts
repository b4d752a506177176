import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * A body is validated as it was sent, with all its faults, each with its schema (`verbose`). The
 * schemas are ours and tested as parts of the OpenAPI document: Ajv need not compile the schema of
 * schemas to check them.
 */
const OPTIONS = { allErrors: true, strict: false, validateSchema: false, verbose: true } as const;

type Validator = ((data: unknown) => boolean) & Pick<ValidateFunction, 'errors'>;

/**
 * Fastify's factory of validators. A schema is compiled at the first call that needs it: a start
 * would compile dozens, and a process meets few of them.
 */
export function compileValidators(): (route: { readonly schema: AnySchema }) => Validator {
  const ajv = new Ajv(OPTIONS);
  (addFormats as unknown as (target: Ajv) => void)(ajv);
  return ({ schema }) => {
    let compiled: ValidateFunction | undefined;
    const validate: Validator = (data) => {
      compiled ??= ajv.compile(schema);
      const isValid = compiled(data);
      validate.errors = compiled.errors ?? null;
      return isValid;
    };
    return validate;
  };
}
