/// Operators that people type by habit from other languages, and what does the same here.
enum OperatorHabits {
    /// Those that others begin with come after them.
    static let all: [(written: String, meant: String)] = [
        ("starts-with", "a function: starts(name, 'text')"),
        ("starts_with", "a function: starts(name, 'text')"),
        ("ends-with", "a function: ends(name, 'text')"), ("ends_with", "a function: ends(name, 'text')"),
        ("contains", "a function: contains(name, 'text')"), ("between", "write x >= 1 and x <= 5"),
        ("is not", "write !="), ("not in", "write not (x in [1 2])"), ("..", "write x >= 1 and x <= 5"),
        ("equals", "write =="), ("mod", "write % for the remainder"),
        ("^", "powers are products: x * x; sqrt(x) is the square root"),
        ("like", "=~ takes a regular expression: name =~ '^Ull'"), ("is", "write =="),
        ("&&", "write `and`"), ("||", "write `or`"), ("<>", "write !="), ("&", "write `and`"),
        ("=", "`==` compares; to set a variable: let x = 5"),
    ]

    /// Operators that are written twice elsewhere: powers and whole quotients.
    static let doubled: [UInt8: String] = [
        UInt8(ascii: "*"): "powers are products: x * x; sqrt(x) is the square root",
        UInt8(ascii: "/"): "the whole part of a quotient: floor(x / y)",
    ]

    /// The first bytes of all: most operators and ends of expressions have another one.
    static let starts = Set(all.compactMap { $0.written.utf8.first })
}
