import PluginTestKit
import Testing

/// Words, quotes, comments, continued lines.
///
/// Expected values are calculated by hand; errors are compared as they are shown.
@Suite struct WordTests {
    @Test("words and lines") func words() async throws {
        try await Transcript.check(
            #"""
            rutter> "a ${x} b"
            error E-VARIABLE-UNKNOWN: unknown variable `$x`
              "a ${x} b"
                 ^^^
            fix: set it with: let x = …
            rutter> let x = 5
            rutter> "a ${x} b $x."
            a 5 b 5.
            rutter> "price \$5, quote \", backslash \\, tab:\tend"
            price $5, quote ", backslash \, tab:	end
            rutter> "two\nlines"
            two
            lines
            rutter> 'raw $x \n'
            raw $x \n
            rutter> "a walker \u{1F6B6}"
            a walker 🚶
            rutter> "bad \q"
            error E-SYNTAX: unknown escape sequence
              "bad \q"
                   ^^
            fix: valid are \n \t \r \" \\ \$ \u{1F6B6}; in single quotes a backslash is literal
            rutter> "open
            error E-SYNTAX-UNFINISHED: the quote is not closed
              "open
              ^
            rutter> 'open
            error E-SYNTAX-UNFINISHED: the quote is not closed
              'open
              ^
            rutter> "${x"
            error E-SYNTAX: `${` is not closed by `}`
              "${x"
               ^^^
            rutter> "${5}"
            error E-SYNTAX: a variable's name must follow `${`
              "${5}"
                 ^
            rutter> "$ alone"
            error E-SYNTAX: a variable's name must follow `$`
              "$ alone"
               ^
            fix: in double quotes a plain `$` is written \$
            rutter> let r = [1 [2 3]]
            rutter> "${r[1][0]} of ${r}"
            2 of [1 [2 3]]
            rutter> first 'a'b
            error E-SYNTAX: `b` cannot follow a word
              first 'a'b
                       ^
            fix: separate words by spaces, or quote the whole
            rutter> first @21.5,152.9
            error E-SYNTAX: `.` cannot follow a word
              first @21.5,152.9
                       ^
            fix: a coordinate has no `@`: 21.5,152.9
            rutter> 'a''b'
            error E-SYNTAX: `'` cannot follow a value
              'a''b'
                 ^
            fix: join a command with `|`, operands with an operator such as `+`
            rutter> help don't
            error E-HELP-NOTHING: no help for `don't`
              help don't
                   ^^^^^
            fix: `help commands` lists all commands
            rutter> first a(b
            error E-SYNTAX: a bracket inside a word
              first a(b
                     ^
            fix: quote the whole word
            rutter> first a[1
            error E-SYNTAX: a bracket inside a word
              first a[1
                     ^
            fix: quote the whole word
            rutter> first x"y"z
            error E-ARG-KIND: count takes a whole number, not `x"y"z`
              first x"y"z
                    ^^^^^
            fix: write 5
            rutter> 'x' =='x'
            true
            rutter> 'x' in'xyz'
            error E-SYNTAX: `i` cannot follow a value
              'x' in'xyz'
                  ^
            fix: join a command with `|`, operands with an operator such as `+`
            rutter> # only a comment
            rutter> 1 + 1 # two
            2
            rutter> 1 +# no comment, for it follows a sign
            error E-SYNTAX: expected a value, not `#`
              1 +# no comment, for it follows a sign
                 ^
            rutter> [1 # one
               ...> 2]
            1
            2
            rutter> 1; 2;; 3
            1
            2
            3
            rutter> 1 +
            error E-SYNTAX: expected a value
              1 +
                 ^
            rutter> 1 + \
               ...> 2
            3
            rutter> (1 +
               ...> 2)
            3
            rutter> [1 2
               ...> 3] | count
            3
            rutter> [1 2 3] |
               ...> count
            3
            rutter> [1 2 3] |
            error E-SYNTAX-UNFINISHED: a command must follow `|`
              [1 2 3] |
                       ^
            rutter> (1
            error E-SYNTAX-UNFINISHED: the bracket is not closed
              (1
              ^
            rutter> [1
            error E-SYNTAX-UNFINISHED: `[` is not closed
              [1
              ^
            rutter> (1 2)
            error E-SYNTAX: `2` is unexpected here
              (1 2)
                 ^
            fix: `)` closes the bracket
            rutter> )
            error E-SYNTAX: expected a command, not `)`
              )
              ^
            fix: commands start with a letter
            rutter> 1 | | count
            error E-SYNTAX: expected a command, not `|`
              1 | | count
                  ^
            fix: one bar leads to the next command; `;` separates commands
            rutter> | count
            error E-SYNTAX: expected a command, not `|`
              | count
              ^
            fix: one bar leads to the next command; `;` separates commands
            rutter> 1 2
            error E-SYNTAX: `2` cannot follow a value
              1 2
                ^
            fix: join a command with `|`, operands with an operator such as `+`
            rutter> 1 = 2
            error E-SYNTAX: `=` cannot follow a value
              1 = 2
                ^
            fix: `==` compares; to set a variable: let x = 5
            """#)
    }
}
