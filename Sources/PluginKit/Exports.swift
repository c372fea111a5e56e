/// A plugin that imports PluginKit has errors, quantities and the other basics of Core at hand.
@_exported import Core
