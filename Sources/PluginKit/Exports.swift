/// Importing PluginKit also imports the errors, quantities and other basics of Core.
@_exported import Core
