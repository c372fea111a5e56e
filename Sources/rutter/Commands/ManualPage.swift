import Foundation

/// The declarations of the program, as the argument parser describes them.
struct ManualTool: Decodable {
    let command: ManualEntry
}

/// A command or subcommand.
struct ManualEntry: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let arguments: [ManualArgument]?
    let subcommands: [ManualEntry]?

    /// Those that people use, without `help`, which each program has.
    var shown: [ManualEntry] {
        (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }
}

/// An argument, option or flag.
struct ManualArgument: Decodable {
    let kind: String
    let abstract: String?
    let valueName: String?
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let shouldDisplay: Bool

    struct Name: Decodable {
        let kind: String
        let name: String

        var written: String { (kind == "long" ? "--" : "-") + name }
    }
}

/// A manual page in the language of man.
struct ManualPage {
    /// The name of its file, without the section.
    let name: String
    private let entry: ManualEntry
    private let parent: String?

    init(_ entry: ManualEntry, parent: String?) {
        self.entry = entry
        self.parent = parent
        name = parent.map { "\($0)-\(entry.commandName)" } ?? entry.commandName
    }

    /// The pages of its subcommands.
    var subpages: [ManualPage] {
        entry.shown.flatMap { page -> [ManualPage] in
            let page = ManualPage(page, parent: name)
            return [page] + page.subpages
        }
    }

    /// The page.
    var text: String {
        var lines = [
            ".TH \"\(name.uppercased())\" 1", ".SH NAME",
            "\(name) \\- \(Self.escaped(Self.sentence(entry.abstract ?? "")))", ".SH SYNOPSIS",
            ".B \(Self.escaped(invocation))", synopsis, ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(entry.discussion ?? entry.abstract ?? "")
        let arguments = (entry.arguments ?? []).filter(\.shouldDisplay)
        if !arguments.isEmpty {
            lines.append(".SH OPTIONS")
            for argument in arguments {
                lines += [
                    ".TP", ".B \(Self.escaped(Self.form(argument)))", Self.escaped(argument.abstract ?? ""),
                ]
            }
        }
        if !entry.shown.isEmpty {
            lines.append(".SH SUBCOMMANDS")
            for subcommand in entry.shown {
                lines += [
                    ".TP", ".B \(Self.escaped(subcommand.commandName))",
                    Self.escaped(subcommand.abstract ?? ""),
                ]
            }
        }
        if parent == nil { lines += Self.surroundings }
        let others = parent.map { ["\($0)(1)"] } ?? entry.shown.map { "\(name)-\($0.commandName)(1)" }
        if !others.isEmpty { lines += [".SH SEE ALSO", others.joined(separator: ", ")] }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// What holds for the program as a whole.
    private static let surroundings = [
        ".SH EXIT STATUS", ".TP", ".B 0", "success", ".TP", ".B 1",
        "a command failed, or a notebook differed", ".TP", ".B 2", "usage error", ".TP", ".B 130", "Ctrl-C",
        ".TP", ".B 141", "the reader of the output closed it", ".SH FILES", ".TP",
        ".B $XDG_CONFIG_HOME/rutter/config.rut", "entries that the prompt runs at its start", ".TP",
        ".B $XDG_DATA_HOME/rutter/workspace", "the stores, without --workspace", ".TP",
        ".B $XDG_STATE_HOME/rutter/history", "what was typed at the prompt", ".SH ENVIRONMENT", ".TP",
        ".B NO_COLOR", "no colours, if it is set; also with CLICOLOR=0", ".TP", ".B TZ",
        "the time zone, without --timezone", ".TP",
        ".B VISUAL, EDITOR", "the editor of `config edit`, and of an entry (Ctrl-X Ctrl-E)", ".TP",
        ".B PAGER",
        "the program that shows long results, with `set pager true`",
    ]

    private var invocation: String { name.replacing("-", with: " ") }

    private var synopsis: String {
        var words =
            (entry.arguments ?? []).contains { $0.kind != "positional" && $0.shouldDisplay }
            ? ["[OPTION]..."] : []
        for argument in (entry.arguments ?? []) where argument.kind == "positional" && argument.shouldDisplay
        {
            let word = (argument.valueName ?? "argument").uppercased() + (argument.isRepeating ? "..." : "")
            words.append(argument.isOptional ? "[\(word)]" : word)
        }
        if !entry.shown.isEmpty { words.append("[SUBCOMMAND]") }
        return Self.escaped(words.joined(separator: " "))
    }

    private static func form(_ argument: ManualArgument) -> String {
        guard argument.kind != "positional" else { return (argument.valueName ?? "").uppercased() }
        let names = (argument.names ?? []).map(\.written).joined(separator: ", ")
        return argument.kind == "option" ? "\(names) \((argument.valueName ?? "value").uppercased())" : names
    }

    /// Lines that begin with blanks stay as they are; others flow.
    private static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isFixed = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let wantsFixed = line.hasPrefix("  ")
            if line.isEmpty {
                lines.append(isFixed ? "" : ".PP")
                continue
            }
            if wantsFixed != isFixed { lines += wantsFixed ? [".nf"] : [".fi", ".PP"] }
            isFixed = wantsFixed
            lines.append(escaped(String(line)))
        }
        return lines + (isFixed ? [".fi"] : [])
    }

    private static func sentence(_ text: String) -> String {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Text with the signs of the page's language as signs.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
