import openapiTypes from 'openapi-typescript';
import ts from 'typescript';

type Parameter = { in: string; name: string; description?: string };
type Operation = {
  operationId?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: { $ref?: string; properties?: object } }> };
  responses: Record<string, { headers?: object; description?: string; content?: Record<string, object> }>;
};
type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { title?: string; properties?: object }> };
};

const header = `// Written from /api/openapi.json, see web/api-types.ts.
type Json<Body> = { content: { 'application/json': Body } };
type NoParameters = { path?: never; query?: never };
`;
const longestLine = 140;
const printer = ts.createPrinter();

/** A TypeScript file with the types of the requests and answers that the pages use. @param described an API document */
export async function typesForPages(described: unknown): Promise<string> {
  const document = JSON.parse(JSON.stringify(described)) as ApiDocument;
  for (const operation of Object.values(document.paths).flatMap((operations) => Object.values(operations))) {
    keepWhatPagesUse(operation, document.components.schemas);
  }
  // The name of a component repeats its title.
  for (const schema of Object.values(document.components.schemas)) delete schema.title;
  const nodes = await openapiTypes(JSON.parse(JSON.stringify(document)), {
    alphabetize: false,
    emptyObjectsUnknown: true,
  });
  const source = ts.createSourceFile('schema.d.ts', '', ts.ScriptTarget.Latest);
  const declarations = nodes
    .filter(ts.isInterfaceDeclaration)
    .map((node) => printer.printNode(ts.EmitHint.Unspecified, shorten(node), source));
  return `${header}${declarations.join('\n')}\n`;
}

/**
 * Removes refusals, which have one shape everywhere (web/src/api/problem.ts), headers, descriptions of operations and parameters, and
 * the second way to send the fields of a body: in the query string, or as a form.
 */
function keepWhatPagesUse(operation: Operation, schemas: ApiDocument['components']['schemas']): void {
  delete operation.description;
  delete operation.operationId;
  for (const status of Object.keys(operation.responses)) {
    if (Number(status) >= 300) delete operation.responses[status];
    else keepJson(operation.responses[status] ?? {});
  }
  for (const parameter of operation.parameters ?? []) delete parameter.description;
  const content = operation.requestBody?.content ?? {};
  if (!content['application/json']) return;
  delete content['application/x-www-form-urlencoded'];
  const { schema } = content['application/json'];
  const { properties = {} } = schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  operation.parameters = (operation.parameters ?? []).filter((one) => one.in !== 'query' || !(one.name in properties));
}

/** A list as CSV is downloaded as a file. */
function keepJson(response: Operation['responses'][string]): void {
  Object.assign(response, { headers: undefined, description: '' });
  if (response.content?.['application/json']) delete response.content['text/csv'];
}

/** Without members that are always absent; short types on one line. */
function shorten(declaration: ts.InterfaceDeclaration): ts.InterfaceDeclaration {
  const source = ts.createSourceFile('schema.d.ts', '', ts.ScriptTarget.Latest);
  const { factory } = ts;
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, undefined);
    if (ts.isPropertySignature(visited)) return withShortType(withShortComment(visited));
    if (!ts.isTypeLiteralNode(visited)) return visited;
    const isPath = visited.members.some((member) => nameOf(member) === 'trace');
    const literal = factory.createTypeLiteralNode(
      visited.members.filter((member) => !isAbsent(member) && !(isPath && nameOf(member) === 'parameters')),
    );
    return onOneLine(literal) ?? literal;
  };
  const withShortType = (member: ts.PropertySignature): ts.PropertySignature => {
    const { type } = member;
    if (!type || !ts.isTypeLiteralNode(type)) return member;
    const json = jsonOf(type);
    const hasNoParameters = nameOf(member) === 'parameters' && type.members.length === 0;
    if (!json && !hasNoParameters) return member;
    const short = json
      ? factory.createTypeReferenceNode('Json', [json])
      : factory.createTypeReferenceNode('NoParameters');
    return factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, short);
  };
  const onOneLine = (literal: ts.TypeLiteralNode): ts.TypeLiteralNode | undefined => {
    if (literal.members.some((member) => ts.getSyntheticLeadingComments(member)?.length)) return undefined;
    const line = ts.setEmitFlags(factory.createTypeLiteralNode(literal.members), ts.EmitFlags.SingleLine);
    const text = printer.printNode(ts.EmitHint.Unspecified, line, source);
    return text.length <= longestLine && !text.includes('\n') ? line : undefined;
  };
  return ts.visitNode(declaration, visit) as ts.InterfaceDeclaration;
}

/** Keeps the description. The type already has the formats and lists of values. */
function withShortComment(member: ts.PropertySignature): ts.PropertySignature {
  const texts = (ts.getSyntheticLeadingComments(member) ?? []).flatMap(({ text }) =>
    text.split('\n').map((line) => line.replace(/^[*\s]+/, '').trim()),
  );
  const kept = texts.filter((line) => line !== '' && !/^(Format:|@enum|@constant)/.test(line)).join(' ');
  ts.setSyntheticLeadingComments(member, undefined);
  if (kept === '') return member;
  const text = `* ${kept.replace('@description ', '')} `;
  return ts.addSyntheticLeadingComment(member, ts.SyntaxKind.MultiLineCommentTrivia, text, true);
}

/** Of `{ content: { 'application/json': Body } }` its `Body`. */
function jsonOf(literal: ts.TypeLiteralNode): ts.TypeNode | undefined {
  const content = onlyMember(literal, 'content');
  return content && ts.isTypeLiteralNode(content) ? onlyMember(content, 'application/json') : undefined;
}

/** The type of the only member, if it has this name. */
function onlyMember({ members: [member, ...others] }: ts.TypeLiteralNode, name: string): ts.TypeNode | undefined {
  if (others.length > 0 || !member || !ts.isPropertySignature(member)) return undefined;
  return nameOf(member) === name ? member.type : undefined;
}

const nameOf = ({ name }: ts.TypeElement): string | undefined =>
  name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;

const isAbsent = (member: ts.TypeElement): boolean =>
  ts.isPropertySignature(member) && (member.type?.kind === ts.SyntaxKind.NeverKeyword || isHeaders(member));

/** `headers: { [name: string]: unknown }`, which the generator writes for an answer without headers. */
const isHeaders = (member: ts.PropertySignature): boolean =>
  nameOf(member) === 'headers' &&
  member.type !== undefined &&
  ts.isTypeLiteralNode(member.type) &&
  member.type.members.every(ts.isIndexSignatureDeclaration);
