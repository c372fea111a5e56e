import Foundation
import PluginTestKit
import Testing

@testable import WebPlugin

/// The page's source files.
struct PageTests {
    private static let folder = RealData.project.appendingPathComponent("Plugins/Web/Page")

    /// All but the C of the module that holds them.
    private func files() throws -> [(name: String, text: String)] {
        try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted().filter {
            $0 != "page.c" && $0 != "include"
        }.map {
            ($0, try String(contentsOf: Self.folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    @Test func everyFileIsCompiledIn() throws {
        #expect(try files().map(\.name) == PageResources.all.map(\.name).sorted())
        for (name, text) in try files() {
            let bytes = PageResources.all.first { $0.name == name }?.bytes
            #expect(bytes == Array(text.utf8), "\(name)")
        }
    }

    @Test func itIsSmall() throws {
        let sent = PageFiles(leafletFolder: "/nowhere")
        let bytes = sent.paths.reduce(0) { $0 + (sent[Substring($1)]?.bytes.count ?? 0) }
        #expect(bytes < 190_000, "\(bytes) bytes")
    }

    /// What is sent is the source without comments, indentation, and line ends that separate nothing.
    @Test func commentsStayHere() throws {
        let sent = PageFiles(leafletFolder: "/nowhere")
        for (name, text) in try files() where name.hasSuffix(".js") {
            let script = String(decoding: try #require(sent["/page/\(name)"]).bytes, as: UTF8.self)
            let lines = text.components(separatedBy: "\n")
            #expect(script.components(separatedBy: "\n").allSatisfy { !$0.isEmpty }, "\(name)")
            for line in lines.map({ $0.trimmingPrefix { $0 == " " } })
            where line.hasPrefix("/*") || line.hasPrefix("// ") {
                #expect(!script.contains(line), "\(name): \(line)")
            }
            // A multi-line text would lose the leading spaces of its lines.
            for line in lines {
                let marks = line.replacing("\\`", with: "").count { $0 == "`" }
                #expect(marks.isMultiple(of: 2), "\(name): \(line)")
            }
        }
        #expect(
            BrowserCode.script("/* a\n b */\n  let c = 'a = b';\n // e\n  if (d) d = e + f;")
                == "let c='a = b';if(d)d=e+f;")
        // A line end without a semicolon may end a statement.
        #expect(BrowserCode.script("a = b\n[c, d].e();\n") == "a=b\n[c,d].e();")
        #expect(
            BrowserCode.script("if (a) {\n  f(\n    b,\n  );\n}\ng = (c)\n  => [\n  c\n];")
                == "if(a){f(b,)}\ng=(c)\n=>[c];")
        for (line, short) in [
            ("const a = `b ${ c + \"d e\" } f`;", "let a=`b ${c+\"d e\"} f`;"),
            ("x = y / z + /[/ ] = / .test(w);", "x=y/ z+/[/ ] = /.test(w);"),
            ("return /a b/i.test(c) ? a + +b : a - -b;", "return/a b/i.test(c)?a+ +b:a- -b;"),
            ("t = 'it\\'s  so' + \"a \\\" b\";", "t='it\\'s  so'+\"a \\\" b\";"),
            ("a = true; b.true = [false, isfalse];", "a=!0;b.true=[!1,isfalse];"),
            ("for (const é of [ 1 ]) if (a) return é in b;", "for(let é of[1])if(a)return é in b;"),
        ] {
            #expect(BrowserCode.script(line) == short)
        }
        #expect(
            BrowserCode.style("a:hover, b { color: red; }\n/* c */\nd {\n  e: 0;\n}")
                == "a:hover,b{color:red}d{e:0}")
        #expect(
            BrowserCode.style(
                ":root { --ink: red; --ink-faint: blue; }\na { color: var(--ink); top: var(--share, 0) var(--ink-faint); }"
            )
                == ":root{--0:red;--1:blue}a{color:var(--0);top:var(--share,0) var(--1)}")
    }

    /// Names are shown as text: no code creates elements from text, runs text, or sends requests to another
    /// server.
    @Test func nothingMakesElementsOfText() throws {
        for (name, text) in try files() {
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
                "javascript:", "srcdoc", "https://", "setTimeout('", "setTimeout(\"", " onclick=", " style=",
                "<style",
                "localStorage",
            ] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
            let addresses = text.components(separatedBy: "http://").dropFirst().map { $0.prefix(10) }
            #expect(addresses.allSatisfy { $0 == "www.w3.org" }, "\(name)")
        }
    }

    @Test func scriptsComeFromFilesAlone() throws {
        let page = try String(contentsOf: Self.folder.appendingPathComponent("index.html"), encoding: .utf8)
        for tag in page.components(separatedBy: "<script").dropFirst() {
            #expect(tag.hasPrefix(" type=\"module\" src=\"/page/") && tag.contains("></script>"))
        }
    }

    @Test func withoutLeafletThePageSaysWhatIsMissing() {
        #expect(PageFiles(leafletFolder: "/nowhere").hasLeaflet == false)
        #expect(PageFiles(leafletFolder: "/nowhere")["/"] != nil)
    }
}
