import Foundation

/// A plugin with the fault that its argument names; without an argument it has none.
let mode = CommandLine.arguments.dropFirst().first ?? "good"
/// The plugin's name: `hostile`, or another for the benchmark.
let pluginName = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : "hostile"

func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

func answer(_ id: Int, _ result: String) { write(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#) }

func sleepForEver() -> Never { while true { sleep(1000) } }

/// Starts a program that outlives this one; in a session of its own it is no longer in this one's group.
func leaveChild(ownSession: Bool) {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: ownSession ? "/usr/bin/setsid" : "/bin/sleep")
    child.arguments = ownSession ? ["/bin/sleep", "1000"] : ["1000"]
    try? child.run()
}

func command(_ name: String, _ more: String = "") -> String {
    let examples = ["bad-example": "another thing", "broken-example": "\(name) |"]
    let example = examples[mode] ?? name
    let output = mode == "wrong-example" ? #","gives":"7""# : ""
    let parameter = #"{"name":"word","kind":"option","type":"text","summary":"a word","complete":true}"#
    return
        #"{"name":"\#(name)","summary":"do it","parameters":[\#(parameter)],"takes":"optional any","gives":"any","#
        + #""effect":"\#(mode == "reader" ? "reads" : "changes")","examples":[{"title":"it","line":"\#(example)"\#(output)}]\#(more)}"#
}

/// The text of a file beside the manifest; `nil` where there is none.
func beside(_ name: String) -> String? {
    FileManager.default.contents(atPath: name).map { String(decoding: $0, as: UTF8.self) }
}

func declaration() -> String {
    if mode == "scripted" { return beside("declaration.json") ?? "null" }
    let name = mode == "taken" ? "range" : "\(pluginName) do"
    let commands = mode == "twice" ? [command(name), command(name)] : [command(name)]
    return #"{"name":"\#(pluginName)","version":"1.0","commands":[\#(commands.joined(separator: ","))]}"#
}

func run(_ id: Int, _ line: String) {
    switch mode {
    case "scripted":
        // The answer that the test wrote; without one the received request.
        if let error = beside("error.json") {
            write(#"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"#)
        } else if let line = beside("line.txt") {
            write(line)
        } else {
            let params =
                line.range(of: "\"params\":").map { String(line[$0.upperBound...].dropLast()) } ?? "null"
            answer(id, beside("result.json") ?? #"{"value":\#(params)}"#)
        }
    case "passer":
        // Passes on the error that the session gave it.
        write(#"{"jsonrpc":"2.0","id":"h","method":"host/run","params":{"line":"quit"}}"#)
        let reply = readLine() ?? ""
        let error = reply.range(of: "\"error\":").map { String(reply[$0.upperBound...].dropLast()) } ?? "{}"
        write(#"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"#)
    case "late":
        usleep(300_000)
        answer(id, #"{"value":1}"#)
    case "silent": sleepForEver()
    case "crash":
        FileHandle.standardError.write(Data("it is \u{1B}[31mbroken\n".utf8))
        abort()
    case "half":
        FileHandle.standardOutput.write(Data(#"{"jsonrpc":"2.0","id":\#(id),"resu"#.utf8))
        exit(3)
    case "endless-line":
        let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        FileHandle.standardOutput.write(Data("\"".utf8))
        for _ in 0..<1024 { FileHandle.standardOutput.write(piece) }
    case "endless-complaint":
        let piece = Data(repeating: UInt8(ascii: "x"), count: 1 << 16)
        while true { FileHandle.standardError.write(piece) }
    case "inherits":
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        // The folder that is listed is open meanwhile.
        let open = files.compactMap(Int.init).filter { fcntl(Int32($0), F_GETFD) >= 0 }.sorted()
        let names = ProcessInfo.processInfo.environment.keys.sorted().map { "\"\($0)\"" }
        let isLeader = getsid(0) == getpid()
        answer(
            id,
            #"{"value":{"files":\#(open),"leads":\#(isLeader),"names":[\#(names.joined(separator: ","))]}}"#)
    case "parts", "other-parts":
        for number in 0..<3 {
            write(
                #"{"jsonrpc":"2.0","method":"rows","params":{"id":\#(id),"columns":["n"],"rows":[[\#(number)]]}}"#
            )
        }
        let column = mode == "parts" ? "n" : "m"
        answer(id, #"{"value":{"$table":{"columns":["\#(column)"],"rows":[[3]]}}}"#)
    case "complete-late", "complete-never": answer(id, #"{"value":\#(getpid())}"#)
    case "not-utf8": FileHandle.standardOutput.write(Data([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D, 0x0A]))
    case "wrong-id": answer(id + 1000, #"{"value":1}"#)
    case "no-json": write("Traceback (most recent call last):")
    case "two-answers":
        FileHandle.standardOutput.write(
            Data(
                ("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{\"value\":1}}\n"
                    + "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{\"value\":2}}\n").utf8))
    case "wrong-value": answer(id, #"{"value":{"$coordinate":[91,"x"]}}"#)
    case "wrong-tag": answer(id, #"{"value":{"$nonsense":1}}"#)
    case "deep":
        answer(
            id,
            "{\"value\":" + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}")
    case "flood":
        let note = #"{"jsonrpc":"2.0","method":"progress","params":{"id":\#(id),"done":1}}"# + "\n"
        let piece = Data(String(repeating: note, count: 1000).utf8)
        while true { FileHandle.standardOutput.write(piece) }
    case "ignore-cancel":
        _ = FileManager.default.createFile(atPath: "running", contents: nil)
        sleepForEver()
    case "callback":
        var number = 0
        while true {
            number += 1
            write(#"{"jsonrpc":"2.0","id":"c\#(number)","method":"host/random","params":{}}"#)
            _ = readLine()
        }
    case "itself", "changer", "reader", "quitter":
        let pipeline =
            switch mode {
            case "itself": "hostile do"
            case "quitter": "quit"
            default: "plugin new other"
            }
        write(#"{"jsonrpc":"2.0","id":"h","method":"host/run","params":{"line":"\#(pipeline)"}}"#)
        let reply = readLine() ?? ""
        let code = reply.contains(#""error""#) ? reply : "no error"
        let quoted = code.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(
            of: "\"", with: "\\\"")
        answer(id, #"{"value":"\#(quoted)"}"#)
    case "child":
        leaveChild(ownSession: false)
        leaveChild(ownSession: true)
        answer(id, #"{"value":1}"#)
    case "escapes":
        write(
            #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-1,"message":"red \u001b[31m \u202e","data":{"code":"E-WAYPOINT-NONE","argument":"word"}}}"#
        )
    case "memory":
        var kept: [[UInt8]] = []
        while true { kept.append([UInt8](repeating: 1, count: 64 << 20)) }
    default:
        // Returns its input, so that tests see what was transferred.
        let marker = "\"input\":"
        let input = line.range(of: marker).map { String(line[$0.upperBound...]) } ?? "null"
        let end = input.range(of: ",\"seed\":").map { String(input[..<$0.lowerBound]) } ?? "null"
        answer(id, #"{"value":\#(end)}"#)
    }
}

if mode == "crash-at-start" { exit(7) }
if mode == "never-starts" { sleepForEver() }
while let line = readLine() {
    guard let message = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let id = message["id"] as? Int
    else { continue }
    switch message["method"] as? String {
    case "initialize": answer(id, declaration())
    case "run": run(id, line)
    case "complete":
        if mode == "silent" || mode == "complete-never" { sleepForEver() }
        // It answers what it was asked only when that was cancelled.
        if mode == "complete-late" { while let line = readLine(), !line.contains(#""cancel""#) {} }
        answer(id, #"{"candidates":["alpha",{"word":"beta","summary":"the second"}]}"#)
    case "shutdown":
        if mode == "stays" { sleepForEver() }
        if mode == "crash-at-end" { abort() }
        answer(id, "null")
        exit(0)
    default: write(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32601,"message":"no such method"}}"#)
    }
}
