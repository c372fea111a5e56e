import PluginKit

/// `to FORMAT`
struct ToCommand: CommandProvider {
    var name: String { "to" }

    var command: Command {
        Command(
            name, "convert a value to text in a format",
            details: """
                json: quantities are plain numbers in base units (metres, seconds, degrees, metres a second), \
                coordinates objects with latitude and longitude, dates ISO 8601 with offset; NaN is null.
                jsonl: a JSON value in each line, one for each row.
                csv: cells as in JSON, coordinates as LAT,LON; text that looks like a number, a date or another value is \
                quoted, which `from csv --quoted-text` heeds. A notice names the units of columns; with --units they end the names, \
                as in `distance (m)`, which `from csv --units` reads. tsv: the same with tabs.
                markdown: a table, with units as shown.
                geojson: rows with a coordinate become points, lists of coordinates lines; the other fields are properties.
                gpx: points become wpt, lines trk; altitude or ele, timestamp or time, label or name, note or desc, sym, and category \
                or type become ele, time, name, desc, sym and type.
                kml: placemarks; of points, fields without an element of their own become data.
                text: as in the terminal, with all rows.
                `save` chooses the format by the file's extension.
                """,
            .positional(
                "format", .choice(of: DataFormat.self) { $0.summary },
                "json, jsonl, csv, tsv, markdown, geojson, gpx, kml or text"),
            .flag("compact", "JSON without spaces and line ends"),
            .flag("units", "csv, tsv: write the units into the names of the columns"),
            .flag(
                "lat-lon",
                "csv, tsv: write coordinates as columns `lat` and `lon`, and `ele` if they have altitudes"),
            input: .any, output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "rows", "$huts | first 2 | to json", after: [DataCommands.huts],
                    gives: """
                        [
                          {"name": "Illa", "beds": 50, "valley": "Madriu"},
                          {"name": "Sorteny", "beds": 46, "valley": "Ordino"}
                        ]
                        """),
                .init("a length", "2.5km | to json", gives: "2500"),
                .init(
                    "for a spreadsheet", "$line | to csv --units --lat-lon",
                    after: [
                        "let line = [{at: 42.5063,1.5218 walked: 0m} {at: 42.5449,1.5148 walked: 4.3km}]"
                    ],
                    gives: "lat,lon,walked (m)\n42.5063,1.5218,0\n42.5449,1.5148,4300"),
                .init(
                    "for a page", "$huts | select name beds | to markdown", after: [DataCommands.huts],
                    gives: """
                        | name     | beds |
                        | -------- | ---: |
                        | Illa     |   50 |
                        | Sorteny  |   46 |
                        | Perafita |    6 |
                        """),
                .init(
                    "a line", "[42.5063,1.5218 42.5449,1.5148] | to geojson --compact",
                    gives: "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":"
                        + "{\"type\":\"LineString\",\"coordinates\":[[1.5218,42.5063],[1.5148,42.5449]]},"
                        + "\"properties\":{}}]}"),
            ],
            searchTerms: [
                "tab separated output", "tab separated",
                "export", "convert", "json", "csv", "markdown", "geojson", "gpx", "text", "json output",
                "csv output", "excel", "jsonl", "tsv", "kml", "as json", "as csv", "as markdown",
                "as geojson", "yaml", "header with units", "latitude and longitude columns",
            ]
        ) { input, context, format, compact, units, latLon in
            let style = CSVStyle(namesUnits: units, splitsCoordinates: latLon)
            guard style.isPlain || format.isTable else {
                let name = units ? "units" : "lat-lon"
                throw CommonErrors.argumentRange(
                    "--\(name) is an option of csv and tsv", at: .parameter(name), fix: "to csv --\(name)")
            }
            let log = context.log
            if let direct = DirectOutput.current, input.isLazy {
                let sink = TextSink { direct.write(String(decoding: $0, as: UTF8.self)) }
                try format.writer(context.environment, compact: compact, style: style) { log.notice("\($0)") }
                    .write(input, to: sink)
                try sink.write("\n")
                try sink.flush()
                return .nothing
            }
            let sink = TextSink()
            try format.writer(context.environment, compact: compact, style: style) { log.notice("\($0)") }
                .write(
                    input.tabulated, to: sink)
            return .text(sink.text)
        }
    }
}
