import Formats
import Foundation
import PluginKit

/// The files of a new, working plugin: a command that greets, its kit, and beside them a notebook that tests it.
struct PluginTemplate {
    /// The languages that templates are written in.
    enum Language: String, CaseIterable, Sendable {
        case python, swift, bash

        /// The requirements for running it.
        var summary: String {
            switch self {
            case .python: "Python 3 and its standard library"
            case .swift: "a Swift package that must be built first"
            case .bash: "bash and sed"
            }
        }
    }

    let name: String
    let language: Language

    /// A file of the plugin.
    struct File {
        let path: String
        let text: String
        var isProgram = false
    }

    /// All files of the folder, the manifest first.
    var files: [File] { [manifest] + programs }

    private var manifest: File {
        let command =
            switch language {
            case .python: ["python3", "main.py"]
            case .swift: ["./plugin"]
            case .bash: ["bash", "main.sh"]
            }
        let tree = JSONTree(members: [
            "name": .text(name), "version": .text("0.1"),
            "protocol": JSONTree(ForeignSettings.protocolNumber),
            "command": .list(command.map { .text($0) }), "summary": .text("a sample plugin"),
        ])
        return File(path: PluginManifest.file, text: JSONWriter(.fitted).text(tree) + "\n")
    }

    private var programs: [File] {
        switch language {
        case .python:
            [
                File(path: "main.py", text: python),
                File(path: "rutter_plugin.py", text: Self.text(PackageResources.rutter_plugin_py)),
            ]
        case .swift:
            [
                File(path: "Package.swift", text: package),
                File(
                    path: "Sources/Kit/RutterPlugin.swift",
                    text: Self.text(PackageResources.RutterPlugin_swift_txt)),
                File(path: "Sources/Main/main.swift", text: swift),
                File(path: "build.sh", text: build, isProgram: true),
            ]
        case .bash: [File(path: "main.sh", text: bash)]
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A notebook that tests it. It is beside the folder, because a change in the folder would revoke its trust.
    var notebook: File { File(path: name + ".md", text: notebookText) }

    private var notebookText: String {
        """
        ---
        plugins: [./\(name)]
        ---
        # The plugin \(name)

        `rutter test --allow-plugins \(name).md`, after `plugin trust`.

        ```rutter
        rutter> \(name) hello Anna
        Hello Anna
        ```

        """
    }

    private var python: String {
        """
        from rutter_plugin import Error, Parameter, Plugin

        plugin = Plugin("\(name)", "0.1", "a sample plugin")


        @plugin.command(
            "\(name) hello", "greet somebody",
            parameters=[Parameter("who", "text", "whom to greet")],
            gives="text", effect="pure",
            examples=[{"title": "Anna", "line": "\(name) hello Anna", "gives": "Hello Anna"}])
        def hello(call, who):
            if not who.strip():
                raise Error("\(code)-NOBODY", "the name is empty", fix="\(name) hello Anna", argument="who")
            return f"Hello {who}"


        plugin.run()

        """
    }

    private var code: String { "E-\(name.uppercased())" }

    private var package: String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "\(name)",
            targets: [
                .target(name: "RutterPlugin", path: "Sources/Kit"),
                .executableTarget(name: "\(name)", dependencies: ["RutterPlugin"], path: "Sources/Main"),
            ],
            swiftLanguageModes: [.v5])

        """
    }

    private var swift: String {
        """
        import RutterPlugin

        let plugin = Plugin("\(name)", version: "0.1", summary: "a sample plugin")

        plugin.command(
            "\(name) hello", "greet somebody", [PluginParameter("who", "text", "whom to greet")], gives: "text",
            effect: "pure", examples: [["title": "Anna", "line": "\(name) hello Anna", "gives": "Hello Anna"]]
        ) { call in
            guard case .text(let who)? = call.arguments["who"], who.contains(where: { $0 != " " }) else {
                throw PluginError(
                    "\(code)-NOBODY", "the name is empty", fix: "\(name) hello Anna", argument: "who")
            }
            return .text("Hello \\(who)")
        }

        plugin.run()

        """
    }

    /// Builds outside the folder, whose files are all hashed, and installs the program in it.
    private var build: String {
        """
        #!/bin/sh
        set -e
        cd "$(dirname "$0")"
        scratch="${TMPDIR:-/tmp}/\(name)-build"
        swift build -c release --scratch-path "$scratch"
        install "$scratch/release/\(name)" plugin

        """
    }

    private var bash: String {
        #"""
        #!/usr/bin/env bash
        # A plugin without a kit: it extracts what it needs from each line with sed.
        answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
        refuse() { printf '{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"%s","data":{"code":"%s"}}}\n' "$id" "$1" "$2" "$3"; }
        while IFS= read -r line; do
            id=$(sed -nE 's/^\{"jsonrpc":"2.0","id":([0-9]+).*/\1/p' <<< "$line")
            method=$(sed -nE 's/.*"method":"([a-z]+)".*/\1/p' <<< "$line")
            [ -n "$id" ] || continue
            case $method in
            initialize)
                answer '{"name":"NAME","version":"0.1","summary":"a sample plugin","commands":[{"name":"NAME hello","summary":"greet somebody","parameters":[{"name":"who","type":"text","summary":"whom to greet"}],"gives":"text","effect":"pure","examples":[{"title":"Anna","line":"NAME hello Anna","gives":"Hello Anna"}]}]}' ;;
            run)
                who=$(sed -nE 's/.*"who":"(([^"\\]|\\.)*)".*/\1/p' <<< "$line")
                if [ -n "$who" ]; then answer "{\"value\":\"Hello $who\"}"
                else refuse -32000 "the name is empty" CODE-NOBODY; fi ;;
            complete) answer '{"candidates":[]}' ;;
            shutdown) answer null; exit 0 ;;
            *) refuse -32601 "no such method" CODE-METHOD ;;
            esac
        done

        """#.replacing("NAME", with: name).replacing("CODE", with: code)
    }
}
