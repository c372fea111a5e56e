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
        #expect(bytes < 192_000, "\(bytes) bytes")
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
            ("x = y / z + /[/ ] = / .test(w);", "x=y/z+/[/ ] = /.test(w);"),
            ("return /a b/i.test(c) ? a + +b : a - -b;", "return/a b/i.test(c)?a+ +b:a- -b;"),
            ("t = 'it\\'s  so' + \"a \\\" b\";", "t='it\\'s  so'+\"a \\\" b\";"),
            (
                "a((b) => c(() => d), async (e) => (f, g) => `${ h((i) => j) }(k) =>`);",
                "a(b=>c(()=>d),async e=>(f,g)=>`${h(i=>j)}(k) =>`);"
            ),
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

    /// A name is shortened where all its uses in the file are of a declared one: members, keys, methods, what is shared with other
    /// files, and what the browser or the language defines keep their names.
    @Test(arguments: [
        // The parameter `second` of a shared function; a key of a pattern; a name beside a member of the same name.
        (
            "export const first = (second, third) => second.third + third; const { third: fourth, fifth } = first; let sixth = fourth;",
            "export let first=(a,third)=>a.third+third;let{third:fourth,fifth}=first;let b=fourth;"
        ),
        (
            "class A { seventh(eighth) { const ninth = eighth; return { ninth }; } } foo(`${ ninthly => ninthly + 1 }`);",
            "class A{seventh(b){let ninth=b;return{ninth}}}foo(`${a=>a+1}`);"
        ),
        (
            "const tenth = 1; open({ tenth: 2 }); const eleven = [1]; if (eleven) window.twelve = eleven;",
            "let tenth=1;open({tenth:2});let a=[1];if(a)window.twelve=a;"
        ),
        // Used, but nowhere declared; declared, but also what a browser has.
        (
            "if (thirteen) location.hash = thirteen; const location = 1;",
            "if(thirteen)location.hash=thirteen;let location=1;"
        ),
        // A choice and a label look like a key.
        (
            "const one = 1; const two = 2; three = four ? one : two; \"one\"; /two/;",
            "let one=1;let a=2;three=four?one:a;\"one\";/two/;"
        ),
        (
            "import { five, six as seven } from 'x'; five(seven); const from = 1;",
            "import{five,six as seven}from'x';five(seven);let from=1;"
        ),
        (
            "for (const [eight, ...nine] of ten) eight(nine); catch (problem) { problem; }",
            "for(let[b,...c]of ten)b(c);catch(a){a}"
        ),
    ])
    func namesOfItsOwnAreShort(script: String, short: String) {
        #expect(BrowserCode.script(script) == short)
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
