import ArgumentParser
import Foundation
import PluginKit

/// The process's arguments in the parser's order: the subcommand first.
///
/// What is no subcommand is an entry of the language, as in `rutter departures Central`, or a file to run or to open.
///
/// Session options may precede the subcommand, too: `rutter --workspace W run FILE`. The parser would pass
/// those to the default subcommand, which takes no file.
enum ProcessArguments {
    private static let subcommands: Set<String> = {
        var names: Set<String> = ["help"]
        for subcommand in RutterCommand.configuration.subcommands {
            if let name = subcommand.configuration.commandName { names.insert(name) }
        }
        return names
    }()
    /// Options of a session, each followed by its value.
    private static let options: Set<String> = [
        "--workspace", "--seed", "--clock", "--timezone", "--units", "--log", "--log-level",
    ]

    /// Options of a session without a value.
    private static let flags: Set<String> = ["--config", "--json", "--quiet"]

    static func ordered(_ arguments: [String]) -> [String] {
        let arguments = arguments.map(homeExpanded)
        let index = sessionOptions(of: arguments)
        guard index < arguments.count else { return arguments }
        let options = arguments[..<index]
        let words = Array(arguments[index...])
        if words[0] == "-V" { return ["--version"] }
        // Standard input is what is read without an entry.
        if words == ["-"] { return Array(options) }
        // `help` is both: of the subcommands by the parser, of all else by the language.
        let isSubcommand =
            subcommands.contains(words[0])
            && (words[0] != "help" || words.count == 1 || subcommands.contains(words[1]))
        if isSubcommand { return [words[0]] + options + words.dropFirst() }
        // `--` ends the options: what follows are words of an entry, or a file.
        if words[0] == "--", words.count > 1 { return ordered(Array(options) + words.dropFirst()) }
        if words[0].hasPrefix("-") { return arguments }
        // A name with the ending of a script is no command: that it is missing is said by what would run it.
        if words.count == 1, isScript(words[0]), !isFile(words[0]) { return ["run"] + options + words }
        if words.count == 1 || isScript(words[0]), isFile(words[0]) {
            if isScript(words[0]) { return ["run"] + options + words }
            return options + ["-c", shown(words)]
        }
        // What can only be a path is opened also where nothing is there: that it is missing, or a folder, is said then.
        if words.count == 1 ? isPath(words[0]) : words[0].contains(".") && words.allSatisfy(isFile) {
            return options + ["-c", shown(words)]
        }
        let (own, trailing) = withoutSessionOptions(words)
        return options + trailing + ["-c", entry(own)]
    }

    /// The entry that shows files: of a recording, what an import would keep, not the text of the file.
    private static func shown(_ files: [String]) -> String {
        let names = files.map(Literal.text).joined(separator: " ")
        let ending = URL(fileURLWithPath: files[0]).pathExtension.lowercased()
        return files.count == 1 && ["fit", "gpx", "kml", "kmz", "tcx"].contains(ending)
            ? "import \(names) --dry-run" : "open \(names)"
    }

    /// The words of an entry without the options of a session at their end, and those options: `departures Central --json`. Options
    /// that commands have too, such as `--units`, stay with the command.
    private static func withoutSessionOptions(_ words: [String]) -> (words: [String], options: [String]) {
        let further = options.subtracting(["--units", "--seed", "--clock"])
        var rest = words
        var found: [String] = []
        while rest.count > 1, let last = rest.last {
            if flags.contains(last) || further.contains(where: { last.hasPrefix($0 + "=") }) {
                found.insert(rest.removeLast(), at: 0)
            } else if rest.count > 2, further.contains(rest[rest.count - 2]) {
                found = rest.suffix(2) + found
                rest.removeLast(2)
            } else {
                break
            }
        }
        return (rest, found)
    }

    /// `--out=~/a.svg` as `--out ~/a.svg`, which the shell expands.
    private static func homeExpanded(_ argument: String) -> String {
        guard let match = argument.wholeMatch(of: /(--[a-z-]+=)~(\/.*)/) else { return argument }
        return match.1 + FileAccess.homeDirectory + match.2
    }

    /// The first argument that is not UTF-8 text, its bytes beyond ASCII as `\xE9`; such file names come from older systems.
    static var notText: String? {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else {
                continue
            }
            return UnsafeBufferPointer(start: bytes, count: strlen(bytes)).map { byte in
                let byte = UInt8(bitPattern: byte)
                return byte < 0x80
                    ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
            }
            .joined()
        }
        return nil
    }

    /// Whether a word is a path by its form: folders before it, or an ending, as no entry of one word has.
    private static func isPath(_ word: String) -> Bool {
        if [".", "..", "~"].contains(word) { return true }
        if word.contains("/"), word.hasSuffix("/") || isFolder(word) { return true }
        return word.wholeMatch(of: /(?:\.{0,2}\/|~\/)[^|;${}()"'<>]+/) != nil
            || word.wholeMatch(of: /[\p{L}_*?][\p{L}\p{N}_*?.\/-]*\.[A-Za-z][A-Za-z0-9]{1,7}/) != nil
    }

    /// A folder is no file to run or open: `rutter sample` is a command also where a folder has that name.
    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// A notebook or a file of entries, by its name.
    private static func isScript(_ path: String) -> Bool {
        ["md", "markdown", "rut"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    /// The entry of several arguments: each is one word of it, as the shell passed it. One argument is an entry as it stands.
    static func entry(_ words: [String]) -> String {
        guard words.count > 1 else { return words.first ?? "" }
        // The language's own spelling is long.
        let words = words.last == "-h" ? words.dropLast() + ["--help"] : words
        // Before `--`, words are as one types them at the prompt; after it, and where a file has that name, they are texts.
        let end = words.firstIndex(of: "--") ?? words.count
        return words.enumerated().filter { $0.offset != end }.map { index, word in
            index < end && isPlain(word) && !(needsQuotes(word) && isFile(word)) ? word : Literal.text(word)
        }
        .joined(separator: " ")
    }

    /// Whether a word begins as a variable or a reference does.
    private static func needsQuotes(_ word: String) -> Bool { word.hasPrefix("$") || word.hasPrefix("@") }

    /// Whether the language reads the text as one word, or as an operator.
    private static func isPlain(_ word: String) -> Bool {
        let isWord = word.allSatisfy { $0.isLetter || $0.isNumber || "_@$.,:/+~%=*?-".contains($0) }
        return !word.isEmpty && (isWord || word.allSatisfy { "|<>=!+*/&".contains($0) })
    }

    /// The number of arguments at the start that are options of a session, or their values.
    static func sessionOptions(of arguments: [String]) -> Int {
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if options.contains(argument) {
                index += 2
            } else if flags.contains(argument) {
                index += 1
            } else if options.contains(where: { argument.hasPrefix($0 + "=") }) {
                index += 1
            } else {
                break
            }
        }
        return min(index, arguments.count)
    }
}
