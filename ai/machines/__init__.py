"""State machines, behaviour trees and the action ledger will live here."""
