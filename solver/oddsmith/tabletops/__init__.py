"""What virtual tabletops take: modules for Foundry VTT, extensions for Owlbear Rodeo, scripts for Roll20."""
