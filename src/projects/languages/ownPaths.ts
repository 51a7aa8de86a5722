/** Copies of what others wrote. */
const vendored = [
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|vendors?|third[-_]?party|3rd[-_]?party|externals?|extern)\//i,
  /(?:^|\/)(?:Pods|Carthage|Godeps)\//,
  /(?:^|\/)(?:dist|site-packages|\.yarn|\.mvn|\.gradle|\.venv|venv|\.tox|\.bundle|\.vscode|\.idea|gradle\/wrapper|(?:tests?|specs?)\/fixtures)\//i,
  /^(?:deps|dependencies|cache|debian|testdata)\//i,
  /(?:^|\/)(?:gradlew|mvnw|configure|config\.guess|config\.sub|aclocal\.m4|libtool\.m4|ltmain\.sh|\.pnp\.c?js)$/,
  /(?:^|\/)(?:jquery|bootstrap|font-?awesome|modernizr)[\w.-]*\.(?:js|css|scss|less)$/i,
  /(?:^|\/)normalize\.(?:css|scss|less)$/,
  /[.-]min\.(?:js|css)$/i
]

const documentation = [
  /^(?:docs?|man|examples?|samples?|demos?)\//i,
  /(?:^|\/)(?:documentation|javadoc|groovydoc|apidocs?|inst\/doc)\//i
]

/** The patterns of files that programs write. Lock files are data by their extension, or have none that is known. */
const generated = [
  /(?:^|\/)__generated__\//,
  /[._](?:generated|gen)\.\w+$/i,
  /(?:^|\/)zz_generated\./,
  /\.pb\.(?:go|cc|h|rs|swift)$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|rb|d\.ts)$/,
  /\.(?:designer\.(?:cs|vb)|g\.(?:dart|cs|i\.cs)|freezed\.dart)$/i
]

const others = [...vendored, ...documentation, ...generated]

/** Whether a file, by its path from the root, may be what the project itself consists of. */
export const isOwn = (path: string): boolean => !others.some((pattern) => pattern.test(path))
