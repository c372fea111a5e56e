import PluginKit

/// Kinds of error of the data commands.
enum DataErrors {
    static let notRows = ErrorKind(
        "E-DATA-ROWS", "the value is not rows",
        explanation: """
            Commands such as `where`, `sort` and `count` work on lists, tables and streams of rows. A single \
            record or object is not a list; wrap it in [ ].
            """)
    static let noOrder = ErrorKind(
        "E-DATA-ORDER", "values of this kind have no order",
        explanation: """
            Numbers, quantities, text, dates and true/false have an order. A coordinate, a list or a record has none: \
            name one of its fields, such as `sort at.latitude`.
            """)
    static let mixed = ErrorKind(
        "E-DATA-MIXED", "the rows have values of different kinds",
        explanation: """
            Numbers cannot be compared with text, nor lengths with durations. `describe` lists the kinds of a column's \
            values. `from csv --types COLUMN=text` reads a column that mixes numbers and text as text.
            """)
    static let numericText = ErrorKind(
        "E-DATA-TEXT", "text that looks like numbers would be compared by letters",
        explanation: """
            By letters 950 comes after 1,250. Convert the texts first: number('12'), quantity('5 km'), \
            number(replace(people, ',', '')). `describe` shows the kind of each column.
            """)
    static let notNumbers = ErrorKind(
        "E-DATA-NUMBERS", "the values cannot be added up",
        explanation: """
            `sum` and `mean` take numbers and quantities of one dimension. Rows without a value are skipped.
            """)
    static let whichField = ErrorKind(
        "E-DATA-FIELD", "a field must be named",
        explanation: """
            The rows have several fields, and the command works on one: name it, as in `sum distance`. Plain lists \
            do not need one.
            """)
    static let duplicate = ErrorKind(
        "E-DATA-DUPLICATE", "two columns would have the same name",
        explanation: "The columns of a table must have different names. Use `rename` first, or omit one.")
    static let step = ErrorKind(
        "E-DATA-STEP", "the step never reaches the end",
        explanation: """
            The step of `range` must not be zero and must lead from the first number towards the last. \
            Quantities need a step of their dimension: range 0m 1km --step 250m.
            """)
    static let source = ErrorKind(
        "E-DATA-SOURCE", "no input, or more than one",
        explanation: """
            `from` reads the text that comes through the pipe, or the file given with --file, but not both.
            """)
    static let json = ErrorKind(
        "E-DATA-JSON", "the text is not well-formed JSON",
        explanation: """
            JSON is read strictly by RFC 8259: no comments, no trailing commas, names in double quotes. Values \
            may be nested 200 deep.
            """)
    static let csv = ErrorKind(
        "E-DATA-CSV", "the text is not well-formed CSV",
        explanation: """
            CSV is read by RFC 4180: the first line names the columns, every row has as many cells, and a cell \
            with a separator, a quote or a line end is enclosed in double quotes, with quotes inside doubled. `from csv --lenient` \
            reads others, too.
            """)
    static let encoding = ErrorKind(
        "E-DATA-UTF8", "the text is not UTF-8",
        explanation:
            "Text is read as UTF-8, CSV also as UTF-16 and Windows-1252; `--encoding` of `open` and `from` names others."
    )
    static let format = ErrorKind(
        "E-DATA-FORMAT", "unknown file extension",
        explanation: """
            The format is chosen by the extension: json, jsonl, csv, tsv, md, geojson, gpx, kml and txt are written; json, jsonl, geojson, \
            csv, tsv, md and txt are read, also packed. `to` and `from` name the format themselves.
            """)
    static let change = ErrorKind(
        "E-FILE-CHANGED", "the file has changed since it was opened",
        explanation: """
            Rows of a long file are read when they are asked for, from the file as it was when it was opened. Open it again \
            to work with its present content.
            """)
    static let long = ErrorKind(
        "E-LIMIT-INPUT", "the input is too long to keep in memory",
        explanation: """
            Input that can be read only once (a pipe), that is packed, or that is not UTF-8 is kept in memory, up to 512 MiB. Save \
            it to a file of UTF-8 first: files are read as their rows are asked for.
            """)
    static let depth = ErrorKind(
        "E-DATA-DEPTH", "the value is nested too deeply",
        explanation: "Values nested more than 200 deep are neither read nor written.")
    static let all = [
        notRows, noOrder, mixed, numericText, notNumbers, whichField, duplicate, step, source, json, csv,
        encoding, format,
        change, long, depth,
    ]

    /// A file that is no longer the one that was opened.
    static func changed(_ name: String) -> RutterError {
        change("\(name) has changed since it was opened", fix: "open it again")
    }

    /// An input that cannot be kept in memory.
    static func tooLong(_ name: String) -> RutterError {
        long(
            "\(name) is longer than \(DataSettings.mostKept >> 20) MiB",
            fix: "save it to a file of UTF-8 that is not packed, and open that")
    }
}
