"""What the warm-up notebook uses: eight little exercises on tensors, checked at once and counted nowhere."""
