/// Shortens the names that are a script's own: each word that is declared in it and is nowhere in it a member, a key, a method
/// or a name of another file. All its uses are renamed alike, so that scopes need not be known.
struct ScriptNames {
    /// Words with a meaning in the language, and objects of the browser, which a script may use beside a name of its own.
    private static let fixed = Set(
        """
        as async await break case catch class const continue default delete do else export extends false finally for from function
        get if import in instanceof let new null of return set static super switch this throw true try typeof undefined void while
        yield arguments constructor crypto devicePixelRatio document event fetch history innerHeight innerWidth location matchMedia
        name navigator performance sessionStorage window
        """.split { $0.isWhitespace }.map(String.init))
    /// What stands before a parenthesis that holds no parameters.
    private static let conditions: Set<String> = ["if", "for", "while", "switch"]

    private struct Bracket {
        var sign: String
        /// The word before it.
        var before = ""
        /// Whether it is the pattern of a declaration.
        var declares = false
        /// Words that it declares if it is a list of parameters.
        var words: [String] = []
    }

    private let tokens: [ScriptToken]
    private var uses: [String: Int] = [:]
    private var declared: Set<String> = []
    private var kept = Self.fixed
    private var brackets: [Bracket] = []

    /// The tokens with shorter names.
    static func shortened(_ tokens: [ScriptToken]) -> [ScriptToken] {
        var names = ScriptNames(tokens.filter { $0.kind != .lineEnd })
        names.read()
        let short = names.short()
        return tokens.map { token in
            guard token.kind == .word, let name = short[token.text] else { return token }
            var renamed = token
            renamed.text = name
            return renamed
        }
    }

    private init(_ tokens: [ScriptToken]) { self.tokens = tokens }

    private func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

    private mutating func read() {
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .word: word(index)
            case .sign where "([{".contains(token.text): open(index)
            case .sign where ")]}".contains(token.text): close(index)
            case .template:
                if token.text.hasPrefix("}") { close(index) }
                if token.text.hasSuffix("${") { open(index) }
            default: break
            }
        }
    }

    private mutating func open(_ index: Int) {
        let isPattern =
            text(index) == "[" && ["let", "const"].contains(text(index - 1)) && text(index - 2) != "export"
        brackets.append(
            Bracket(
                sign: text(index), before: text(index - 1),
                declares: isPattern || text(index) == "[" && brackets.last?.declares == true))
    }

    private mutating func close(_ index: Int) {
        guard let closed = brackets.popLast() else { return }
        let follows = text(index + 1)
        let isList =
            closed.sign == "("
            && (follows == "=>" || follows == "{" && !Self.conditions.contains(closed.before))
        if closed.declares || isList {
            declared.formUnion(closed.words)
        } else if closed.sign == "[", !brackets.isEmpty {
            // An array among parameters.
            brackets[brackets.count - 1].words += closed.words
        }
    }

    private mutating func word(_ index: Int) {
        let word = text(index)
        let (before, after) = (text(index - 1), text(index + 1))
        uses[word, default: 0] += 1
        let isInBraces = brackets.last?.sign == "{"
        let isMember = [".", "?."].contains(before)
        let isKey = after == ":"
        let isShorthand = isInBraces && ["{", ","].contains(before) && ["}", ",", "="].contains(after)
        // A method, a field, or else a call or assignment, which may be of a name of its own.
        let isMethod = isInBraces && after == "("
        let isField = isInBraces && after == "=" && ["{", "}", ";"].contains(before)
        let isShared =
            ["class", "as"].contains(before) || text(index - 2) == "export" || text(index - 3) == "export"
        if isMember || isKey || isShorthand || isMethod || isField || isShared { kept.insert(word) }
        if ["let", "const", "function"].contains(before) || after == "=>" { declared.insert(word) }
        if !isInBraces, !brackets.isEmpty, ["(", "[", ",", "..."].contains(before) {
            brackets[brackets.count - 1].words.append(word)
        }
    }

    /// New names: those that save most are the shortest.
    private func short() -> [String: String] {
        func saved(_ word: String) -> Int { (uses[word] ?? 0) * word.utf8.count }
        let words = declared.subtracting(kept).filter { $0.utf8.count > 2 }
            .sorted { (saved($1), $0) < (saved($0), $1) }
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
        let pairs = letters.flatMap { first in letters.map { first + $0 } }
        let free = (letters + pairs).filter { uses[$0] == nil && !Self.fixed.contains($0) }
        return Dictionary(uniqueKeysWithValues: zip(words, free))
    }
}
